import { createHash, randomBytes } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { Refusal } from "../../shared/errors.ts";
import type { AccountActor, Deps } from "../context.ts";
import { SESSION } from "./queries.ts";

/**
 * A person's session is a random text in a `__Host-` cookie; the database holds its hash. A cookie
 * comes by itself, so it counts only for calls of our own pages: `Origin` and `Sec-Fetch-Site` are
 * refused when they are there and foreign.
 */

export const SESSION_DAYS = 30;
const DAY_S = 24 * 3_600;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

type Tools = Pick<Deps, "config" | "db">;

/** Browsers keep `__Host-` and `Secure` cookies of https origins alone; plain http is development. */
const isSecure = ({ config }: Pick<Deps, "config">): boolean => config.origin.startsWith("https:");
const cookieName = (secure: boolean): string => `${secure ? "__Host-" : ""}sira-account`;

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

export function newSession(): { token: string; hash: string } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashOf(token) };
}

export function setSession(deps: Pick<Deps, "config">, c: Context, token: string): void {
  const secure = isSecure(deps);
  setCookie(c, cookieName(secure), token, {
    path: "/",
    httpOnly: true,
    secure,
    sameSite: "Lax",
    maxAge: SESSION_DAYS * DAY_S,
  });
}

export function clearSession(deps: Pick<Deps, "config">, c: Context): void {
  const secure = isSecure(deps);
  deleteCookie(c, cookieName(secure), { path: "/", secure });
}

/** @throws `foreign_origin` for a call that another site has caused. */
export function requireOwnOrigin({ config }: Pick<Deps, "config">, c: Context): void {
  const origin = c.req.header("origin");
  const isOurs = origin === undefined || origin === config.edgeOrigin || origin === config.origin;
  const site = c.req.header("sec-fetch-site");
  const isNear = site === undefined || ["same-origin", "same-site", "none"].includes(site);
  if (!isOurs || !isNear)
    throw new Refusal("foreign_origin", { reason: `${origin ?? "-"} ${site ?? "-"}` });
}

const tokenOf = (deps: Pick<Deps, "config">, c: Context): string | undefined => {
  const token = getCookie(c, cookieName(isSecure(deps)));
  return token !== undefined && TOKEN_PATTERN.test(token) ? token : undefined;
};

/** For the audit of limits and orders: `iss|sub`, as the gate reads it from an entry pass. */
export const subjectOf = (origin: string, account: string): string => `${origin}|${account}`;

/** Whose cookie this is; `undefined` without one. */
export async function findAccount(deps: Tools, c: Context): Promise<AccountActor | undefined> {
  const token = tokenOf(deps, c);
  if (token === undefined) return undefined;
  requireOwnOrigin(deps, c);
  const [row] = await deps.db.read<{ id: string }>(SESSION, [hashOf(token)]);
  if (row === undefined) return undefined;
  return { kind: "account", id: row.id, subject: subjectOf(deps.config.origin, row.id) };
}

export async function requireAccount(deps: Tools, c: Context): Promise<AccountActor> {
  const account = await findAccount(deps, c);
  if (account === undefined) throw new Refusal("account_required");
  return account;
}

export const sessionHash = (deps: Pick<Deps, "config">, c: Context): string | undefined => {
  const token = tokenOf(deps, c);
  return token === undefined ? undefined : hashOf(token);
};
