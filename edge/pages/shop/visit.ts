import type { EventView, SeatMap } from "../../../shared/contract/events.ts";
import type { HoldRequest, HoldView } from "../../../shared/contract/holds.ts";
import type { OrderRequest } from "../../../shared/contract/orders.ts";
import type { Reply } from "../kit/api.ts";
import { serverNow } from "../kit/clock.ts";
import { type Admission, holdKey, readAdmission } from "../kit/core.ts";
import { load, remove } from "../kit/store.ts";
import {
  extendHold,
  type KeptHold,
  makeHold,
  makeOrder,
  readEvent,
  readHold,
  readSeats,
  releaseHold,
} from "./calls.ts";
import { applyDelta, type Delta, type House, planHouse } from "./house/house.ts";
import { codeOf, type TroubleCode } from "./parts/failure.ts";

/** One fan's visit to the shop, from the door to the order. It draws nothing. */

export type Step =
  | { kind: "loading" }
  | { kind: "stop"; why: "noAdmission" | "ended" | "unknown" | "down" | "holdLost" }
  | { kind: "choose" }
  | { kind: "held"; hold: HoldView };

/** Why the last call failed, and the seats that the core named with it. */
export type HoldTrouble = {
  code: TroubleCode;
  unavailable: string[];
  alternatives: string[][];
  /** The extra that cannot be had. */
  addon?: string;
};

export type VisitState = {
  step: Step;
  event?: EventView;
  /** Names and prices; what is free is told by the house. */
  map?: SeatMap;
  house?: House;
  /** How many people look at each block. */
  watchers: Readonly<Record<string, number>>;
  admission?: Admission;
  busy: boolean;
  trouble?: HoldTrouble | undefined;
  /** What came of the last wish for more time. */
  moreTime?: "given" | "refused" | undefined;
};

export type Visit = {
  readonly id: string;
  /** Changes of the last minutes: a map may be older than the stream when it comes from a cache. */
  news: Delta[];
  state: VisitState;
  tell: (change: Partial<VisitState>) => void;
};

/** After these the admission is of no use any more, and only the line helps. */
const ENDED: readonly TroubleCode[] = [
  "admission_invalid",
  "admission_closed",
  "admission_required",
];

export function makeVisit(id: string, onChange: (state: VisitState) => void): Visit {
  const visit: Visit = {
    id,
    news: [],
    state: { step: { kind: "loading" }, busy: false, watchers: {} },
    tell(change) {
      visit.state = { ...visit.state, ...change };
      onChange(visit.state);
    },
  };
  return visit;
}

const NEWS_MAX = 400;

const stop = (visit: Visit, why: Extract<Step, { kind: "stop" }>["why"]) =>
  visit.tell({ step: { kind: "stop", why } });

/** True when the event could not be read for a reason that passes. */
export async function openVisit(visit: Visit): Promise<boolean> {
  const { id } = visit;
  const reply = await readEvent(id);
  if (reply.kind !== "ok") {
    const isUnknown = reply.kind === "problem" && reply.status === 404;
    stop(visit, isUnknown ? "unknown" : "down");
    return !isUnknown;
  }
  const admission = await readAdmission(id);
  visit.tell({ event: reply.data, ...(admission ? { admission } : {}) });
  const kept = await load<KeptHold>(holdKey(id));
  if (kept?.order !== undefined) {
    // The hold has become an order: paying, and what came of it, is that page's business.
    location.replace(`/orders/${encodeURIComponent(kept.order)}`);
    return false;
  }
  if (!admission) {
    stop(visit, "noAdmission");
    return false;
  }
  if (kept) {
    const held = await readHold(kept.id, admission.credential);
    if (held.kind === "ok" && Date.parse(held.data.expiresAt) > serverNow()) {
      visit.tell({ step: { kind: "held", hold: held.data } });
      return false;
    }
    if (held.kind !== "network") await remove(holdKey(id));
  }
  if (admission.endsAt <= serverNow()) stop(visit, "ended");
  else visit.tell({ step: { kind: "choose" } });
  return false;
}

/** Reads the whole map, and puts on top of it what the stream has told since. */
export async function lookAtSeats(visit: Visit): Promise<void> {
  const reply = await readSeats(visit.id);
  if (reply.kind !== "ok") return;
  const { data: map } = reply;
  const { house: before } = visit.state;
  if (before && map.version < before.version) return;
  visit.news = visit.news.filter(({ version }) => version > map.version);
  if (before?.version === map.version) return;
  visit.tell({ map, house: visit.news.reduce(applyDelta, planHouse(map)) });
}

/** A change that the stream has told. */
export function hearOfChange(visit: Visit, delta: Delta): void {
  visit.news = [...visit.news.slice(1 - NEWS_MAX), delta];
  const { house } = visit.state;
  if (house && delta.version > house.version) visit.tell({ house: applyDelta(house, delta) });
}

/** One call at a time, however often and fast somebody presses. */
async function once(visit: Visit, work: (admission: Admission) => Promise<void>): Promise<void> {
  const { admission, busy } = visit.state;
  if (!admission || busy) return;
  visit.tell({ busy: true, trouble: undefined });
  await work(admission);
  visit.tell({ busy: false });
}

const textsOf = (fact: unknown): string[] =>
  Array.isArray(fact) ? fact.filter((item) => typeof item === "string") : [];

/** `alternatives` are lists of seat ids, or objects that hold one under `seats`. */
const groupsOf = (fact: unknown): string[][] =>
  (Array.isArray(fact) ? fact : [])
    .map((item) => (typeof item === "string" ? [item] : textsOf(item?.seats ?? item)))
    .filter((group) => group.length > 0);

const plainTrouble = (code: TroubleCode): HoldTrouble => ({
  code,
  unavailable: [],
  alternatives: [],
});

export const holdSeats = (visit: Visit, body: HoldRequest): Promise<void> =>
  once(visit, async ({ credential }) => {
    const reply = await makeHold(visit.id, credential, body);
    if (reply.kind === "ok") visit.tell({ step: { kind: "held", hold: reply.data } });
    else await explainRefusal(visit, reply);
  });

async function explainRefusal(
  visit: Visit,
  reply: Exclude<Reply<HoldView>, { kind: "ok" }>,
): Promise<void> {
  const code = codeOf(reply);
  if (ENDED.includes(code)) {
    stop(visit, "ended");
    return;
  }
  const facts = reply.kind === "problem" ? reply.problem : undefined;
  const { admission } = visit.state;
  const existing = facts?.["hold"];
  if (code === "hold_exists" && typeof existing === "string" && admission) {
    const other = await readHold(existing, admission.credential);
    if (other.kind === "ok") visit.tell({ step: { kind: "held", hold: other.data } });
  }
  const unavailable = textsOf(facts?.["unavailable"]);
  const addon = facts?.["addon"];
  visit.tell({
    trouble: {
      code,
      unavailable,
      alternatives: groupsOf(facts?.["alternatives"]),
      ...(typeof addon === "string" ? { addon } : {}),
    },
  });
  await lookAtSeats(visit);
}

export const orderHeld = (visit: Visit, body: OrderRequest): Promise<void> =>
  once(visit, async ({ credential }) => {
    const reply = await makeOrder(visit.id, credential, body);
    if (reply.kind === "ok") location.assign(`/orders/${encodeURIComponent(reply.data.id)}`);
    else visit.tell({ trouble: plainTrouble(codeOf(reply)) });
  });

export const giveBack = (visit: Visit, hold: HoldView): Promise<void> =>
  once(visit, async ({ credential }) => {
    const reply = await releaseHold(visit.id, hold.id, credential);
    const isFree = reply.kind === "ok" || (reply.kind === "problem" && reply.status === 404);
    if (isFree) visit.tell({ step: { kind: "choose" } });
    else visit.tell({ trouble: plainTrouble(codeOf(reply)) });
  });

/** WCAG 2.2.1: whoever needs longer may have it, as far as the event's rules go. */
export const askMoreTime = (visit: Visit, hold: HoldView): Promise<void> =>
  once(visit, async ({ credential }) => {
    visit.tell({ moreTime: undefined });
    const reply = await extendHold(hold.id, credential);
    if (reply.kind === "network") visit.tell({ trouble: plainTrouble("network") });
    else if (reply.kind === "problem") visit.tell({ moreTime: "refused" });
    else {
      // Asked twice it answers the same: whoever has had their share is told so.
      const said = reply.data.expiresAt > hold.expiresAt ? "given" : "refused";
      visit.tell({ step: { kind: "held", hold: reply.data }, moreTime: said });
    }
  });

/** The clock has run out, for the hold or for the visit. */
export async function runOut(visit: Visit): Promise<void> {
  const { step, busy } = visit.state;
  if (busy) return;
  if (step.kind === "held") {
    await remove(holdKey(visit.id));
    stop(visit, "holdLost");
  } else if (step.kind === "choose") stop(visit, "ended");
}

/** Whoever goes on choosing has read what was said. */
export function forgetTrouble(visit: Visit): void {
  if (visit.state.trouble) visit.tell({ trouble: undefined });
}
