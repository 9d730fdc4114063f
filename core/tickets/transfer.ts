import type { TransferRequest } from "../../shared/contract/tickets.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Ctx } from "../context.ts";

type Verdict =
  | { verdict: "transferred"; issue: number }
  | { verdict: "not_found" | "not_transferable" };

/** From now on only the new holder's code admits; the mail with it is on its way. */
export async function transferTicket(
  ctx: Ctx,
  input: TransferRequest & { ticket: string; issue: number },
): Promise<void> {
  const done = await ctx.db.call<Verdict>("transfer_ticket", [
    input.ticket,
    input.issue,
    input.name,
    input.email,
    input.locale ?? null,
  ]);
  switch (done.verdict) {
    case "transferred":
      return;
    case "not_found":
      throw new Refusal("not_found");
    case "not_transferable":
      throw new Refusal("ticket_not_transferable");
  }
}
