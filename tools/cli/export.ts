// What a sale leaves behind, as CSV for a spreadsheet or JSON for a program.
import type { Figures, LogReply } from "../../edge/room/messages.ts";
import { exponentOf } from "../../shared/money.ts";
import type { Client } from "./client.ts";
import { type Output, toCsv } from "./output.ts";
import { readFigures } from "./watch.ts";

const ORDERS_PAGE = 200;
const LOG_PAGE = 500;

type Row = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, (client: Client, event: string) => Promise<Row[]>>> = {
  orders: readOrders,
  figures: async (client, event) => minutesOf(await readFigures(client, event)),
  log: readLog,
};

export async function exportSale(
  client: Client,
  output: Output,
  options: { readonly event: string; readonly what: string; readonly file: string | undefined },
): Promise<void> {
  const read = KINDS[options.what];
  if (read === undefined)
    throw new Error(`"${options.what}" cannot be exported; ${Object.keys(KINDS).join(", ")} can`);
  const rows = await read(client, options.event);
  const text = output.json ? `${JSON.stringify(rows)}\n` : toCsv(rows.map(spreadMoney));
  output.write(text, options.file);
  if (options.file !== undefined) output.say(`${rows.length} rows in ${options.file}`);
}

/** Pages by time, which is told in ms and kept finer: the last ms is asked again, and told once. */
async function readOrders(client: Client, event: string): Promise<Row[]> {
  const all = new Map<string, Row>();
  let before = "";
  for (;;) {
    const query = new URLSearchParams({ event, limit: String(ORDERS_PAGE) });
    if (before !== "") query.set("before", before);
    const { orders } = await client.core<{ orders: (Row & { id: string; createdAt: string })[] }>(
      "GET",
      `/v1/organizer/orders?${query.toString()}`,
    );
    const known = all.size;
    for (const order of orders) all.set(order.id, order);
    const last = orders.at(-1);
    if (last === undefined || all.size === known) return [...all.values()];
    before = new Date(Date.parse(last.createdAt) + 1).toISOString();
  }
}

async function readLog(client: Client, event: string): Promise<Row[]> {
  const all: Row[] = [];
  let before: number | undefined;
  for (;;) {
    const query = new URLSearchParams({ limit: String(LOG_PAGE) });
    if (before !== undefined) query.set("before", String(before));
    const { entries } = await client.gate<LogReply>(
      "GET",
      `/api/rooms/${encodeURIComponent(event)}/log?${query.toString()}`,
    );
    all.push(...entries);
    const last = entries.at(-1);
    if (last === undefined || entries.length < LOG_PAGE) return all;
    before = last.id;
  }
}

function minutesOf({ history }: Figures): Row[] {
  return history.perMinute.map(({ at, ...moment }) => ({
    at: new Date(at).toISOString(),
    ...moment,
  }));
}

/** A spreadsheet adds numbers up: an amount becomes a decimal, with its currency in a column beside it. */
export function spreadMoney(row: Row): Row {
  const cells = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value !== "object" || value === null) return [[name, value]];
    const { amount, currency }: { amount?: unknown; currency?: unknown } = value;
    if (typeof amount !== "number" || typeof currency !== "string") return [[name, value]];
    const digits = exponentOf(currency);
    return [
      [name, Number((amount / 10 ** digits).toFixed(digits))],
      [`${name}Currency`, currency],
    ];
  });
  return Object.fromEntries(cells);
}
