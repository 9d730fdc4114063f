import type { CheckinRequest, ScanView } from "../../shared/contract/tickets.ts";
import { actorName, type Ctx, type OrganizerActor } from "../context.ts";
import { readTicketCode } from "../tickets/code.ts";

/**
 * Codes read at a door. The signature says whether a code is ours, the database whether it admits:
 * the first scan does, every later one hears when and where the first was.
 */
export async function checkIn(
  ctx: Ctx<OrganizerActor>,
  input: CheckinRequest & { event: string },
): Promise<ScanView[]> {
  const { event, gate } = input;
  const scans = await Promise.all(
    input.scans.map(async ({ id, code, at }) => {
      const mark = await readTicketCode(ctx.keys, event, code);
      return {
        id,
        gate,
        ...(at === undefined ? {} : { at }),
        ...(mark === undefined ? {} : { ticket: mark.ticket, issue: mark.issue }),
      };
    }),
  );
  // The log of an entrance is `ticket_scans` itself: each line there names who read the code.
  return await ctx.db.call<ScanView[]>("check_in", [
    event,
    JSON.stringify(scans),
    actorName(ctx.actor),
  ]);
}
