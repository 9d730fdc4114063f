import type { AccountView, RegistrationReply } from "../../../shared/contract/accounts.ts";
import type { EventView } from "../../../shared/contract/events.ts";
import { call, type Reply } from "../kit/api.ts";
import { callCore } from "../kit/core.ts";
import { passKey, save } from "../kit/store.ts";

/** What the account page asks; the person's session at the core goes along with each call. */

const session = true as const;

export const askCode = (email: string, locale: string): Promise<Reply<unknown>> =>
  callCore("/v1/accounts", { method: "POST", body: { email, locale }, session });

export const sendCode = (email: string, code: string): Promise<Reply<unknown>> =>
  callCore("/v1/accounts/verify", { method: "POST", body: { email, code }, session });

export const readAccount = (): Promise<Reply<AccountView>> =>
  callCore("/v1/accounts/me", { session });

export const signOut = (): Promise<Reply<unknown>> =>
  callCore("/v1/accounts/session", { method: "DELETE", session });

export const readCopy = (): Promise<Reply<unknown>> =>
  callCore("/v1/accounts/me/export", { session });

export const eraseAccount = (): Promise<Reply<unknown>> =>
  callCore("/v1/accounts/me", { method: "DELETE", session });

export const openOrder = (id: string): Promise<Reply<{ orderToken: string }>> =>
  callCore(`/v1/accounts/me/orders/${encodeURIComponent(id)}/token`, { method: "POST", session });

export const readEvents = (): Promise<Reply<{ events: EventView[] }>> => call("/v1/events");

/** Again is the same registration with a fresh pass, which the queue page then shows at the gate. */
export async function registerFor(event: string): Promise<Reply<RegistrationReply>> {
  const path = `/v1/events/${encodeURIComponent(event)}/registrations`;
  const reply = await callCore<RegistrationReply>(path, { method: "POST", session });
  if (reply.kind === "ok") await save(passKey(event), reply.data.pass);
  return reply;
}
