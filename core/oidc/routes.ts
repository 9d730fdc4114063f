import { z } from "@hono/zod-openapi";
import type { SessionReply } from "../../shared/contract/organizers.ts";
import { Refusal } from "../../shared/errors.ts";
import { type Ctx, ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { clientAddress } from "../http/request.ts";
import { newRouter, type Router } from "../http/router.ts";
import { createSignInLimit } from "../organizers/limit.ts";
import { sessionOf } from "../organizers/sign-in.ts";
import { grantOf, type OidcProvider } from "./grants.ts";
import { authorizationUrl, claimsOfCode } from "./provider.ts";

const random = z.string().regex(/^[A-Za-z0-9_-]{32,128}$/);
const startSchema = z.strictObject({ state: random, nonce: random, codeChallenge: random });
const answerSchema = z.strictObject({
  code: z.string().min(1).max(2_000),
  iss: z.string().max(300).optional(),
  codeVerifier: random,
  nonce: random,
});
const AT = "/v1/organizer/oidc";
const SUBJECT_CHARS_MAX = 200;

/** Sign-in by an OpenID provider of the deployment; what comes of it is an organizer token of ours. */
export function oidcRoutes(deps: Deps): Router {
  const app = newRouter();
  const limit = createSignInLimit(deps.redis.locks);
  describeOidc(app);
  const providerOf = (id: string): OidcProvider => {
    const found = deps.config.oidcProviders.find((each) => each.id === id);
    if (found === undefined) throw new Refusal("not_found");
    return found;
  };

  app.get(AT, (c) =>
    c.json({ providers: deps.config.oidcProviders.map(({ id, name }) => ({ id, name })) }, 200),
  );

  app.post(`${AT}/:provider/start`, async (c) => {
    const provider = providerOf(c.req.param("provider"));
    const asked = await readBody(c, startSchema);
    c.header("cache-control", "no-store");
    try {
      return c.json({ url: await authorizationUrl(deps.config, provider, asked) }, 200);
    } catch (error) {
      deps.log.warn({ err: error, provider: provider.id }, "the OpenID provider did not answer");
      throw new Refusal("unavailable");
    }
  });

  app.post(`${AT}/:provider/sessions`, async (c) => {
    const provider = providerOf(c.req.param("provider"));
    const answer = await readBody(c, answerSchema);
    const ctx = ctxFor(deps, { actor: { kind: "anyone" }, requestId: c.get("requestId") });
    const address = clientAddress(c, deps.config.trustedProxies);
    await limit.require(address);
    c.header("cache-control", "no-store");
    try {
      const session = await signInWith(ctx, provider, answer);
      await limit.remember(address);
      return c.json(session, 200);
    } catch (error) {
      await limit.count(address);
      if (error instanceof Refusal) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Refusal("credential_invalid", { reason: `${provider.id}: ${reason}` });
    }
  });
  return app;
}

/** Whoever the provider vouches for and no grant names is forbidden, not unknown. */
async function signInWith(
  ctx: Ctx,
  provider: OidcProvider,
  answer: z.infer<typeof answerSchema>,
): Promise<SessionReply> {
  const claims = await claimsOfCode(ctx.config, provider, answer);
  const grant = grantOf(provider, claims);
  if (grant === undefined)
    throw new Refusal("forbidden", { reason: `${provider.id} vouches for ${claims.sub}` });
  const id = `oidc:${provider.id}:${claims.sub}`.slice(0, SUBJECT_CHARS_MAX);
  ctx.log.info({ organizer: id, role: grant.role }, "signed in by OpenID");
  return sessionOf(ctx, { id, ...grant });
}

function describeOidc(app: Router): void {
  document(app, {
    method: "get",
    path: AT,
    summary: "OpenID providers by which organizers may sign in.",
    answers: { 200: "`{providers: [{id, name}]}`" },
    refusals: [],
  });
  document(app, {
    method: "post",
    path: `${AT}/{provider}/start`,
    summary: "Where to go to sign in: the authorization code flow with PKCE.",
    body: startSchema,
    answers: { 200: "`{url}`" },
    refusals: ["not_found", "invalid_request", "unavailable"],
  });
  document(app, {
    method: "post",
    path: `${AT}/{provider}/sessions`,
    summary: "The provider's code for an hour's token of ours.",
    body: answerSchema,
    answers: { 200: "`{token, expiresAt}`" },
    refusals: ["not_found", "credential_invalid", "forbidden", "rate_limited", "invalid_request"],
  });
}
