import type { TicketPage } from "../../shared/contract/tickets.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Ctx } from "../context.ts";
import { readTicket } from "./list-tickets.ts";

/** Everything that a ticket's own page shows. */
export async function readTicketPage(
  ctx: Ctx,
  input: { order: string; ticket: string },
): Promise<TicketPage> {
  const row = await readTicket(ctx, input);
  if (row === undefined) throw new Refusal("not_found");
  const { section, number } = row;
  return {
    id: row.id,
    event: {
      id: row.event,
      name: row.eventName,
      venue: row.venue,
      startsAt: row.startsAt,
      timeZone: row.timeZone,
    },
    ...(row.seat === null ? {} : { seat: row.seat }),
    ...(section === null ? {} : { section }),
    ...(row.row === null ? {} : { row: row.row }),
    ...(number === null ? {} : { number }),
    zone: row.zoneName,
    ...(row.holder === null ? {} : { holder: row.holder }),
    state: row.state,
    code: row.code,
    issue: row.issue,
  };
}
