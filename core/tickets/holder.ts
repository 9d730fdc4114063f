// Who may open a ticket: the buyer by the order's token, until it is handed on; then whoever it was
// handed to, by a token for exactly that issue. Handed on again, that token is worthless too.
import type { Context } from "hono";
import { Refusal } from "../../shared/errors.ts";
import { signToken } from "../../shared/token/sign.ts";
import { verifyToken } from "../../shared/token/verify.ts";
import type { Deps } from "../context.ts";
import { admitBuyer } from "../orders/token.ts";
import { HOLDER_OF, type HolderRow } from "./queries.ts";

const TICKET_TOKEN_S = 2 * 365 * 24 * 3_600;
const SCHEME_PATTERN = /^ticket +([A-Za-z0-9_.-]+)$/i;

type Tools = Pick<Deps, "keys" | "config" | "clock" | "db">;

const audienceOf = (ticket: string, issue: number): string => `ticket/${ticket}/${issue}`;

export function signTicketToken(
  deps: Pick<Deps, "keys" | "config" | "clock">,
  ticket: string,
  issue: number,
): Promise<string> {
  const iat = Math.floor(deps.clock.now() / 1_000);
  return signToken(deps.keys, "ticket", {
    iss: deps.config.origin,
    aud: audienceOf(ticket, issue),
    sub: ticket,
    iat,
    exp: iat + TICKET_TOKEN_S,
  });
}

/** The ticket's page; the token is in the fragment, which no server and no log ever sees. */
export const ticketUrl = (edgeOrigin: string, ticket: string, token: string): string =>
  `${edgeOrigin}/tickets/${ticket}#token=${token}`;

/** @returns the issue that this caller holds. To strangers the ticket does not exist. */
export async function admitHolder(
  deps: Tools,
  c: Context,
  ticket: string,
): Promise<{ ticket: string; order: string; issue: number }> {
  const [, token] = SCHEME_PATTERN.exec(c.req.header("authorization") ?? "") ?? [];
  const buyer = token === undefined ? await admitBuyer(deps, c) : undefined;
  const [row] = await deps.db.read<HolderRow>(HOLDER_OF, [ticket]);
  if (token === undefined) {
    if (row === undefined || row.order !== buyer?.order || row.transferred)
      throw new Refusal("not_found", { reason: "another order's ticket, or handed on" });
    return { ticket, order: row.order, issue: row.issue };
  }
  const verified = await verifyToken(token, async (kid, use) => deps.keys.verifying(kid, use), {
    use: "ticket",
    issuer: deps.config.origin,
    audience: audienceOf(ticket, row?.issue ?? 0),
    now: deps.clock.now(),
  });
  if (!verified.ok || row === undefined)
    throw new Refusal("credential_invalid", {
      reason: verified.ok ? "no such ticket" : verified.error.reason,
      headers: { "www-authenticate": "Ticket" },
    });
  return { ticket, order: row.order, issue: row.issue };
}
