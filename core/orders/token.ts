// The order token: whoever made the order reaches it and its tickets by this, until long after the
// event. It names one order and nothing else; a place in the line never reaches an order.
import type { Context } from "hono";
import { Refusal } from "../../shared/errors.ts";
import type { OrderId } from "../../shared/ids.ts";
import { orderAudience } from "../../shared/token/claims.ts";
import { signToken } from "../../shared/token/sign.ts";
import { verifyToken } from "../../shared/token/verify.ts";
import { findAccount } from "../accounts/session.ts";
import type { AccountActor, BuyerActor, Deps } from "../context.ts";

/** Events are sold a year ahead and disputed for months afterwards. */
const ORDER_TOKEN_S = 2 * 365 * 24 * 3_600;
const SCHEME_PATTERN = /^order +([A-Za-z0-9_.-]+)$/i;

type Keys = Pick<Deps, "keys" | "config" | "clock">;

export function signOrderToken(deps: Keys, order: string): Promise<string> {
  const iat = Math.floor(deps.clock.now() / 1_000);
  return signToken(deps.keys, "order", {
    iss: deps.config.origin,
    aud: orderAudience(order),
    sub: order,
    iat,
    exp: iat + ORDER_TOKEN_S,
  });
}

const refused = (reason: string): Refusal =>
  new Refusal("credential_invalid", { reason, headers: { "www-authenticate": "Order" } });

/** Which order the token claims to be for; believed only when it verifies for exactly that one. */
function claimedOrder(token: string): string | undefined {
  try {
    const [, payload = ""] = token.split(".");
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const sub =
      typeof claims === "object" && claims !== null && "sub" in claims ? claims.sub : null;
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}

/** The buyer behind `Authorization: Order <token>`, or a refusal. */
export async function admitBuyer(deps: Keys, c: Context): Promise<BuyerActor> {
  const [, token] = SCHEME_PATTERN.exec(c.req.header("authorization") ?? "") ?? [];
  if (token === undefined) throw refused("no order token");
  const order = claimedOrder(token);
  if (order === undefined) throw refused("not an order token");
  const verified = await verifyToken(token, async (kid, use) => deps.keys.verifying(kid, use), {
    use: "order",
    issuer: deps.config.origin,
    audience: orderAudience(order),
    now: deps.clock.now(),
  });
  if (!verified.ok) throw refused(verified.error.reason);
  if (verified.value.sub !== order) throw refused("subject and audience differ");
  return { kind: "buyer", order: order as OrderId };
}

/** A signed-in person reaches the orders that were made with their entry pass. */
export async function admitOwner(
  deps: Pick<Deps, "db">,
  account: AccountActor,
  order: string,
): Promise<BuyerActor> {
  const [row] = await deps.db.read("select 1 from orders where id = $1 and account = $2", [
    order,
    account.subject,
  ]);
  if (row === undefined) throw new Refusal("not_found", { reason: "another person's order" });
  return { kind: "buyer", order: order as OrderId };
}

/** The buyer of this order; a stranger's token learns nothing about it. */
export async function admitBuyerOf(
  deps: Keys & Pick<Deps, "db">,
  c: Context,
  order: string,
): Promise<BuyerActor> {
  if (c.req.header("authorization") === undefined) {
    const account = await findAccount(deps, c);
    if (account !== undefined) return await admitOwner(deps, account, order);
  }
  const buyer = await admitBuyer(deps, c);
  if (buyer.order !== order) throw new Refusal("not_found", { reason: "another order's token" });
  return buyer;
}
