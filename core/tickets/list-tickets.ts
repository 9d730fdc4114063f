import type { TicketView } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Ctx } from "../context.ts";
import { signTicketCode } from "./code.ts";
import { KEEP_CODE, TICKET_BY_ID, TICKETS_OF_ORDER, type TicketRow } from "./queries.ts";

export async function listTickets(ctx: Ctx, order: string): Promise<TicketView[]> {
  const rows = await ctx.db.read<TicketRow>(TICKETS_OF_ORDER, [order]);
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      ...(row.seat === null ? {} : { seat: row.seat }),
      zone: row.zone,
      code: row.transferred ? "" : await codeOf(ctx, row),
      state: row.state,
      ...(row.transferred ? { transferred: true as const } : {}),
    })),
  );
}

/** One ticket of this order, or `undefined`: a stranger's ticket does not exist. */
export async function readTicket(
  ctx: Ctx,
  input: { order: string; ticket: string },
): Promise<(TicketRow & { code: string }) | undefined> {
  const [row] = await ctx.db.read<TicketRow>(TICKET_BY_ID, [input.ticket, input.order]);
  return row === undefined ? undefined : { ...row, code: await codeOf(ctx, row) };
}

/** Signed at the first look and kept; two who look at once keep the same one. */
async function codeOf(ctx: Ctx, row: TicketRow): Promise<string> {
  if (row.code !== null) return row.code;
  const { id: ticket, event, issue } = row;
  const code = await signTicketCode(ctx.keys, { ticket, event, issue });
  const [kept] = await ctx.db.write<{ code: string }>(KEEP_CODE, [ticket, issue, code]);
  // Handed on between the two: whoever asks again hears how it is now.
  if (kept === undefined) throw new Refusal("conflict_retry");
  return kept.code;
}
