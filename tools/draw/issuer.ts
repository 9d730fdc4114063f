// In the core's place for a measurement of the gate alone: publishes the core's public keys, signs an
// organizer's token, and takes note of nothing.
import { once } from "node:events";
import { createServer } from "node:http";
import { importKeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";

const TOKEN_SECONDS = 3_600;

export interface Issuer {
  readonly origin: string;
  /** The gate's ISSUERS. */
  readonly issuers: string;
  organizer(): Promise<string>;
  stop(): Promise<void>;
}

export async function startIssuer(coreKeys: Parameters<typeof importKeySet>[0]): Promise<Issuer> {
  const keys = await importKeySet(coreKeys, ["organizer", "service", "pass"]);
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== "/.well-known/jwks.json") return void response.writeHead(204).end();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(keys.jwks));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const jwksUrl = `${origin}/.well-known/jwks.json`;
  return {
    origin,
    issuers: JSON.stringify([
      { iss: origin, jwksUrl, use: "organizer", aud: "sira", events: ["*"] },
    ]),
    async organizer() {
      const iat = Math.floor(Date.now() / 1_000);
      const times = { iat, exp: iat + TOKEN_SECONDS };
      const who = { iss: origin, aud: "sira", sub: "bench", role: "owner", events: ["*"] } as const;
      return await signToken(keys, "organizer", { ...who, ...times, events: ["*"] });
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
