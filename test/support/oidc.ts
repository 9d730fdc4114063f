// A small OpenID provider on this machine: discovery, keys, and the code flow with PKCE. It signs in
// whoever it is told to, and refuses what a real one refuses.
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface OidcIssuer {
  readonly origin: string;
  /** The claims of the next sign-in. */
  next(claims: Readonly<Record<string, unknown>>): void;
  /** What the next ID token says otherwise than it should. */
  lie(claims: Readonly<Record<string, unknown>>): void;
  close(): void;
}

export async function startOidcIssuer(clientId: string): Promise<OidcIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" };
  const codes = new Map<string, { challenge: string; nonce: string; redirect: string }>();
  let claims: Readonly<Record<string, unknown>> = { sub: "nobody" };
  let lies: Readonly<Record<string, unknown>> = {};
  let origin = "";

  const idToken = (nonce: string) =>
    new SignJWT({ ...claims, nonce, ...lies })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .setIssuer(typeof lies["iss"] === "string" ? lies["iss"] : origin)
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(privateKey);

  const authorize = (query: URLSearchParams): string => {
    const code = randomUUID();
    const redirect = query.get("redirect_uri") ?? "";
    codes.set(code, {
      challenge: query.get("code_challenge") ?? "",
      nonce: query.get("nonce") ?? "",
      redirect,
    });
    const back = new URL(redirect);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("iss", origin);
    return back.href;
  };

  const redeem = async (form: URLSearchParams): Promise<[number, object]> => {
    const code = form.get("code") ?? "";
    const asked = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const fits =
      asked?.challenge === challenge &&
      asked.redirect === form.get("redirect_uri") &&
      form.get("client_id") === clientId;
    if (!fits) return [400, { error: "invalid_grant" }];
    const token = await idToken(asked.nonce);
    return [200, { access_token: randomUUID(), token_type: "Bearer", id_token: token }];
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", origin);
    const reply = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === "/.well-known/openid-configuration")
      return reply(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/jwks`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
      });
    if (url.pathname === "/jwks") return reply(200, { keys: [jwk] });
    if (url.pathname === "/authorize") {
      response.writeHead(302, { location: authorize(url.searchParams) });
      return response.end();
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      redeem(new URLSearchParams(Buffer.concat(chunks).toString())).then(
        ([status, body]) => reply(status, body),
        () => reply(500, {}),
      );
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the issuer has a port");
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    next(given) {
      claims = given;
      lies = {};
    },
    lie(given) {
      lies = given;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
