import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  discoveryRequest,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  skipStateCheck,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi";
import { Refusal } from "../../shared/errors.ts";
import type { Config } from "../config.ts";
import type { OidcProvider } from "./grants.ts";

/**
 * The authorization code flow with PKCE as a public client (RFC 9700 §2.1.1, OpenID Connect Core). The
 * page makes verifier, state and nonce; the core changes the code, so no token of the provider ever
 * reaches the browser and no page needs leave to call the provider.
 */

const CALL_MS = 5_000;
/** Keys and addresses of a provider are looked up anew after this. */
const DISCOVERY_AGE_MS = 600_000;

const known = new Map<string, { server: AuthorizationServer; untilMs: number }>();

type Deployment = Pick<Config, "env" | "edgeOrigin">;

export const redirectUriOf = (config: Deployment): string => `${config.edgeOrigin}/console`;

/** Only a development or a test talks to a provider without TLS. */
const options = (config: Deployment) => ({
  signal: AbortSignal.timeout(CALL_MS),
  [allowInsecureRequests]: config.env !== "production",
});

async function discover(config: Deployment, provider: OidcProvider): Promise<AuthorizationServer> {
  const kept = known.get(provider.issuer);
  if (kept && kept.untilMs > performance.now()) return kept.server;
  const issuer = new URL(provider.issuer);
  const server = await processDiscoveryResponse(
    issuer,
    await discoveryRequest(issuer, { algorithm: "oidc", ...options(config) }),
  );
  known.set(provider.issuer, { server, untilMs: performance.now() + DISCOVERY_AGE_MS });
  return server;
}

/** Where the browser goes to sign in. */
export async function authorizationUrl(
  config: Deployment,
  provider: OidcProvider,
  asked: { state: string; nonce: string; codeChallenge: string },
): Promise<string> {
  const server = await discover(config, provider);
  if (server.authorization_endpoint === undefined) throw new Refusal("unavailable");
  const url = new URL(server.authorization_endpoint);
  const query = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: redirectUriOf(config),
    scope: provider.scope,
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: asked.codeChallenge,
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The claims of the ID token, its signature, issuer, audience, times and nonce checked.
 * @throws whatever the library finds wrong.
 */
export async function claimsOfCode(
  config: Deployment,
  provider: OidcProvider,
  answer: { code: string; iss?: string | undefined; codeVerifier: string; nonce: string },
): Promise<{ sub: string; [claim: string]: unknown }> {
  const server = await discover(config, provider);
  const client: Client = { client_id: provider.clientId };
  const query = new URLSearchParams({ code: answer.code });
  if (answer.iss !== undefined) query.set("iss", answer.iss);
  // The page has compared `state` with the one it made; here it would compare what it sent itself.
  const checked = validateAuthResponse(server, client, query, skipStateCheck);
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    None(),
    checked,
    redirectUriOf(config),
    answer.codeVerifier,
    options(config),
  );
  const tokens = await processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: answer.nonce,
    requireIdToken: true,
  });
  await validateApplicationLevelSignature(server, response, options(config));
  const claims = getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw new Error("no ID token");
  return claims;
}
