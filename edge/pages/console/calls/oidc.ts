import type { SessionReply } from "../../../../shared/contract/organizers.ts";
import type { Reply } from "../../kit/api.ts";
import { toBase64url } from "../../kit/base64url.ts";
import { callCore } from "../../kit/core.ts";

/**
 * Sign-in at an OpenID provider: this page makes state, nonce and verifier, keeps them in this tab, and
 * hands the code it comes back with to the core. No token of the provider ever reaches the page.
 */
export type Provider = { id: string; name: string };
type Asked = { provider: string; state: string; nonce: string; codeVerifier: string };

const KEPT = "sira-oidc";
const AT = "/v1/organizer/oidc";

const random = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(32)));

export const readProviders = (): Promise<Reply<{ providers: Provider[] }>> => callCore(AT);

/** Leaves the page for the provider's; comes back only when that was not possible. */
export async function goToProvider(provider: string): Promise<Reply<unknown>> {
  const asked: Asked = { provider, state: random(), nonce: random(), codeVerifier: random() };
  const bytes = new TextEncoder().encode(asked.codeVerifier);
  const codeChallenge = toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  const reply = await callCore<{ url: string }>(`${AT}/${provider}/start`, {
    method: "POST",
    body: { state: asked.state, nonce: asked.nonce, codeChallenge },
  });
  if (reply.kind === "ok") {
    sessionStorage.setItem(KEPT, JSON.stringify(asked));
    location.assign(reply.data.url);
  }
  return reply;
}

/** What the provider sent back with the address, if it is an answer to what this tab asked. */
export async function takeAnswer(): Promise<Reply<SessionReply> | undefined> {
  const query = new URLSearchParams(location.search);
  const code = query.get("code");
  if (code === null && !query.has("error")) return undefined;
  history.replaceState(null, "", location.pathname + location.hash);
  const asked: Partial<Asked> = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  sessionStorage.removeItem(KEPT);
  const refused: Reply<SessionReply> = {
    kind: "problem",
    status: 401,
    problem: { code: "credential_invalid" },
  };
  if (code === null || asked.state === undefined || query.get("state") !== asked.state)
    return refused;
  const iss = query.get("iss");
  return callCore(`${AT}/${asked.provider}/sessions`, {
    method: "POST",
    body: {
      code,
      ...(iss === null ? {} : { iss }),
      codeVerifier: asked.codeVerifier,
      nonce: asked.nonce,
    },
  });
}
