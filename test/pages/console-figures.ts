// The desk during a sale as it is drawn in one moment, and the same figures by those who counted them: what
// the gate answered, and SQL over the tables that the core's own statement does not look at.
import type { Page } from "playwright-core";
import type postgres from "postgres";
import { texts } from "../../edge/pages/console/texts/desk/en.ts";
import type { SaleFigures } from "../../shared/contract/sales.ts";

type LineFigures = Record<string, number> & {
  at: string;
  capacity?: { limitPerMinute: number; inFlight: number; p95Ms: number };
  wait?: { low: number; high: number };
  promises?: { kept: number; made: number };
  waits: { lowMs: number; highMs: number; trueMs: number }[];
  history: { perSecond: Record<string, number>[] };
};
type Drawn = {
  figures: Record<string, { value: number; text: string }>;
  ages: { at: string; ms: number }[];
  lineAt: string;
  saleAt: string;
  houseAt: string;
  /** Words with a digit that is no figure's and no age's. */
  stray: string[];
};

/** Everything on the desk, read in one step of the page. */
export const readDesk = (page: Page): Promise<Drawn> =>
  page.evaluate(() => {
    const figures: Drawn["figures"] = {};
    for (const element of document.querySelectorAll("[data-figure]"))
      figures[element.getAttribute("data-figure") ?? ""] = {
        value: Number(element.getAttribute("value") ?? element.getAttribute("data-value")),
        text: element.textContent ?? "",
      };
    const live = document.querySelector(".live");
    const stray: string[] = [];
    if (live) {
      const walk = document.createTreeWalker(live, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const text = walk.currentNode.textContent ?? "";
        const element = walk.currentNode.parentElement;
        const isNamed = element?.closest("[data-figure], [data-age-ms], button, label, textarea");
        if (/\d/.test(text) && !isNamed) stray.push(text);
      }
    }
    return {
      figures,
      ages: [...document.querySelectorAll("[data-age-ms]")].map((element) => ({
        at: element.getAttribute("data-at") ?? "",
        ms: Number(element.getAttribute("data-age-ms")),
      })),
      lineAt: live?.getAttribute("data-line-at") ?? "",
      saleAt: live?.getAttribute("data-sale-at") ?? "",
      houseAt: document.querySelector(".house-map [data-at]")?.getAttribute("data-at") ?? "",
      stray,
    };
  });

/** Numbers that belong to a sentence and not to the sale: "95 of 100", "2 seconds". */
const OWN_WORDS = Object.values(texts)
  .flatMap((each) => (typeof each === "string" ? each.split(/\{\w+\}/) : []))
  .filter((piece) => /\d/.test(piece));
const strayOf = ({ stray }: Drawn): string[] => stray.filter((text) => !OWN_WORDS.includes(text));

type Expected = Record<string, { value: number; text?: string }>;

const numbers = new Intl.NumberFormat("en-GB");
const shares = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });
const money = new Intl.NumberFormat("en-GB", {
  style: "currency",
  currency: "TRY",
  currencyDisplay: "narrowSymbol",
});
const count = (value: number) => ({ value, text: numbers.format(value) });
const share = (value: number) => ({ value, text: shares.format(value) });
const amount = (value: number) => ({ value, text: money.format(value / 100) });

type Pace = { ratePerMinute: number; activeMax: number; sessionMs: number };

/** What the desk has from the gate's answer, the pace's foretelling reckoned by hand. */
function lineOf(said: LineFigures, room: Pace, last: Record<string, number> | undefined): Expected {
  const wait = said.waits.at(-1);
  const capRate = Math.max(1, Math.floor((room.activeMax * 60_000) / room.sessionMs));
  const perMinute = Math.min(room.ratePerMinute, capRate);
  const coming = Number(said["waiting"]) * (1 - Number(said["noShowShare"]));
  const made = said.promises?.made ?? 0;
  return {
    calling: { value: Number(said["calling"]) },
    waiting: count(Number(said["waiting"])),
    issued: count(Number(said["issued"])),
    door: count(Number(said["door"])),
    noShowShare: share(Number(said["noShowShare"])),
    inside: count(Number(said["inside"])),
    admitted: count(Number(said["admitted"])),
    measured: count(Number(said["measuredPerMinute"])),
    effective: count(Number(said["effectivePerMinute"])),
    ...(said.capacity
      ? {
          capacity: count(said.capacity.limitPerMinute),
          p95Ms: {
            value: said.capacity.p95Ms,
            text: `${numbers.format(Math.round(said.capacity.p95Ms))} ms`,
          },
          inFlight: count(said.capacity.inFlight),
        }
      : {}),
    ...(said.wait ? { wait: { value: said.wait.high } } : {}),
    ...(wait ? { promised: { value: wait.highMs }, waited: { value: wait.trueMs } } : {}),
    ...(made >= 10 ? { promises: share((said.promises?.kept ?? 0) / made) } : {}),
    ...(Number(said["waiting"]) > 0
      ? { forecast: { value: Math.round((coming / perMinute) * 60_000) } }
      : {}),
    ...(capRate < room.ratePerMinute ? { capRate: count(capRate) } : {}),
    ...(last
      ? {
          "chart.waiting": count(Number(last["waiting"])),
          "chart.inside": count(Number(last["inside"])),
          "chart.door": count(Number(last["door"])),
          "chart.rate": count(Number(last["rate"])),
        }
      : {}),
  };
}

/** What only the process that answered can know of itself. */
function healthOf({ health }: SaleFigures): Expected {
  const { answeredMs, busy, connections } = health.database;
  return {
    answeredMs: { value: answeredMs, text: `${numbers.format(answeredMs)} ms` },
    busy: count(busy),
    connections: count(connections),
    errors: count(health.requests.errors),
    withinMinutes: count(Math.round(health.requests.withinS / 60)),
  };
}

const SALE = `
  select clock_timestamp() as at,
    (select jsonb_object_agg(key, n) from (
      select s.zone_id || '.' || s.status as key, count(*) as n from seats s
        where s.event_id = $1 group by 1
      union all select 'seats.' || left(s.status, 1), count(*) from seats s
        where s.event_id = $1 group by 1
      union all select z.zone_id || '.' || part.name, part.n from zones z, lateral (values
        ('held', coalesce((select sum(l.quantity - l.returned) from hold_zones l
          where l.event_id = $1 and l.zone_id = z.zone_id and l.state = 'live'), 0)),
        ('sold', (select count(*) from tickets t where t.event_id = $1 and t.zone_id = z.zone_id
          and t.seat_id is null and t.state <> 'void'))) part(name, n)
        where z.event_id = $1 and z.kind = 'standing'
      union all select 'capacity.' || z.zone_id, z.capacity from zones z
        where z.event_id = $1 and z.kind = 'standing'
      union all select 'orders.' || o.state, count(*) from orders o where o.event_id = $1 group by 1
      union all select 'holds', (select count(*) from hold_seats l where l.event_id = $1
          and l.state = 'live') + coalesce((select sum(l.quantity) from hold_zones l
          where l.event_id = $1 and l.state = 'live'), 0)
      union all select 'paying', count(*) from (
        select s.hold_id from seats s where s.event_id = $1 and s.paying_until > clock_timestamp()
        union select l.hold_id from hold_zones l where l.event_id = $1 and l.state = 'live'
          and l.paying_until > clock_timestamp()) h
      union all select 'tickets', count(*) from tickets t where t.event_id = $1 and t.state = 'valid'
      union all select 'captured', coalesce(sum(a.captured_amount), 0) from payment_attempts a
        where a.event_id = $1 and a.state = 'succeeded'
      union all select 'refund.' || r.state, sum(r.amount) from refunds r
        where r.event_id = $1 group by 1
      union all select 'unknown', count(*) from payment_attempts a
        where a.event_id = $1 and a.state in ('sent', 'unknown')
      union all select 'review', count(*) from payment_attempts a
        where a.event_id = $1 and a.settled = 'review') x) as counts,
    (select jsonb_object_agg(zone_id, price) from zones where event_id = $1) as prices`;

type Counted = {
  at: Date;
  counts: Record<string, number>;
  prices: Record<string, number>;
};

async function countSale(database: postgres.Sql, event: string): Promise<Counted> {
  const [row] = await database.unsafe<Counted[]>(SALE, [event]);
  if (row === undefined) throw new Error("nothing was counted");
  return row;
}

/** What the desk has from the sale, counted seat by seat, line by line and ticket by ticket. */
function saleOf({ counts, prices }: Counted): Expected {
  const n = (key: string) => Number(counts[key] ?? 0);
  const refunding = n("refund.created") + n("refund.sent") + n("refund.unknown");
  const expected: Expected = {
    holds: count(n("holds")),
    paying: count(n("paying")),
    orders: count(n("orders.paid")),
    tickets: count(n("tickets")),
    captured: amount(n("captured")),
    refunded: amount(n("refund.succeeded")),
    kept: amount(n("captured") - n("refund.succeeded")),
    ...(refunding > 0 ? { refunding: amount(refunding) } : {}),
    unknown: count(n("unknown")),
    review: count(n("review")),
  };
  for (const letter of ["a", "h", "s", "b"])
    expected[`seats.${letter}`] = count(n(`seats.${letter}`));
  for (const key of Object.keys(counts).filter((each) => each.startsWith("orders.")))
    expected[key] = count(n(key));
  for (const [zone, price] of Object.entries(prices)) {
    expected[`${zone}.price`] = amount(Number(price));
    for (const part of ["available", "held", "sold", "blocked"])
      if (part !== "blocked" || n(`${zone}.${part}`) > 0)
        expected[`${zone}.${part}`] = count(n(`${zone}.${part}`));
    if (`capacity.${zone}` in counts)
      expected[`${zone}.available`] = count(
        n(`capacity.${zone}`) - n(`${zone}.held`) - n(`${zone}.sold`),
      );
  }
  return expected;
}

/** What differs, in words; empty: every figure is there, is right, and is written as it should be. */
function differences(drawn: Drawn, expected: Expected): string[] {
  return Object.entries(expected).flatMap(([name, { value, text }]) => {
    const seen = drawn.figures[name];
    if (seen === undefined) return [`${name} is not drawn`];
    return [
      ...(seen.value === value ? [] : [`${name} is ${value}, drawn ${seen.value}`]),
      ...(text === undefined || seen.text.includes(text)
        ? []
        : [`${name} reads ${text}, drawn ${seen.text}`]),
    ];
  });
}

/** Counted over a minute or by the minute, and tested where they are reckoned. */
const OVER_TIME = /^chart\.(letIn|orders|captured|refunded)$/;

/** Hears what the desk hears, and says whether all that it draws is so. */
export function watchDesk(
  page: Page,
  { database, event, room }: { database: postgres.Sql; event: string; room: Pace },
) {
  const lines = new Map<string, LineFigures>();
  const sales = new Map<string, SaleFigures>();
  page.on("response", async (response) => {
    if (!/\/figures(\?|$)/.test(response.url())) return;
    const body = await response.json().catch(() => ({}));
    if (response.url().includes("/api/rooms/")) lines.set(body.at, body);
    else sales.set(body.at, body);
  });
  const moments = new Set<string>();
  const wrong: string[] = [];
  let before: Counted | undefined;
  /** The gate tells only what came after the last answer. */
  const momentOf = ({ at }: LineFigures) =>
    [...lines.values()]
      .filter((each) => each.at <= at)
      .flatMap(({ history }) => history.perSecond)
      .at(-1);
  return {
    moments,
    /** Whatever was drawn otherwise than it was counted, in any of those moments. */
    wrong,
    /**
     * Nothing was bought between two counts, and what is drawn was asked between them: then it is what both
     * found. Anything else is no moment to judge.
     */
    async agrees(): Promise<string> {
      const drawn = await readDesk(page);
      const line = lines.get(drawn.lineAt);
      const sale = sales.get(drawn.saleAt);
      if (!line || !sale) return `not heard: ${drawn.lineAt} or ${drawn.saleAt}`;
      const oldest = Math.min(Date.parse(drawn.saleAt), Date.parse(drawn.houseAt));
      before ??= await countSale(database, event);
      if (oldest <= before.at.getTime()) return `too old: ${drawn.saleAt}, ${drawn.houseAt}`;
      const first = before;
      const after = await countSale(database, event);
      before = after;
      if (JSON.stringify(after.counts) !== JSON.stringify(first.counts)) return "it moved";
      const expected = {
        ...lineOf(line, room, momentOf(line)),
        ...healthOf(sale),
        ...saleOf(after),
      };
      const more = Object.keys(drawn.figures).filter(
        (name) => !(name in expected || OVER_TIME.test(name)),
      );
      wrong.push(
        ...differences(drawn, expected),
        ...more.map((name) => `nobody counted ${name}`),
        ...strayOf(drawn).map((text) => `no name: ${text}`),
      );
      moments.add(JSON.stringify([line["waiting"], line["inside"], after.counts]));
      return "agrees";
    },
  };
}
