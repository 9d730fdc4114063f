import { Refusal } from "../../shared/errors.ts";
import type { AccountActor, BuyerActor, Ctx } from "../context.ts";
import { EXPORT_ACCOUNT, EXPORT_ORDERS, EXPORT_RECEIVED } from "./queries.ts";

export type BuyerExport = {
  account?: unknown;
  orders: unknown[];
  /** Of an account: tickets that others handed on to it. */
  received?: unknown[];
};

/** All that is kept about a person, as far as the caller has proved to be that person. */
export async function exportBuyer(ctx: Ctx<AccountActor | BuyerActor>): Promise<BuyerExport> {
  const { actor } = ctx;
  if (actor.kind === "buyer") return { orders: await ordersOf(ctx, [actor.order, null, null]) };
  const [row] = await ctx.db.read<{ view: unknown; email: string }>(EXPORT_ACCOUNT, [actor.id]);
  if (row === undefined) throw new Refusal("account_required");
  const [orders, received] = await Promise.all([
    ordersOf(ctx, [null, actor.subject, row.email]),
    ctx.db.read<{ view: unknown }>(EXPORT_RECEIVED, [row.email], { slow: true }),
  ]);
  return { account: row.view, orders, received: received.map(({ view }) => view) };
}

async function ordersOf(
  ctx: Pick<Ctx, "db">,
  by: [order: string | null, subject: string | null, email: string | null],
): Promise<unknown[]> {
  const rows = await ctx.db.read<{ view: unknown }>(EXPORT_ORDERS, by, { slow: true });
  return rows.map(({ view }) => view);
}
