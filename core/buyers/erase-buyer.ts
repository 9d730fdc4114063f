import { Refusal } from "../../shared/errors.ts";
import { type AccountActor, actorName, type BuyerActor, type Ctx } from "../context.ts";
import { EXPORT_ACCOUNT } from "./queries.ts";

const WAIT_S = "60";

/** Names and addresses go, the money records stay; refused while a payment may still end. */
export async function eraseBuyer(ctx: Ctx<AccountActor | BuyerActor>): Promise<void> {
  const { actor } = ctx;
  const who = [actorName(actor), ctx.requestId];
  let args: (string | null)[];
  if (actor.kind === "buyer") args = [null, null, null, actor.order, ...who];
  else {
    const [row] = await ctx.db.read<{ email: string }>(EXPORT_ACCOUNT, [actor.id]);
    if (row === undefined) throw new Refusal("account_required");
    args = [actor.id, actor.subject, row.email, null, ...who];
  }
  const { verdict } = await ctx.db.call<{ verdict: "erased" | "in_flight" }>("erase_buyer", args);
  if (verdict === "in_flight")
    throw new Refusal("attempt_in_flight", { headers: { "retry-after": WAIT_S } });
}
