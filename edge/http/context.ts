import type { Context } from "hono";
import type { Env, GateConfig } from "../env.ts";

export type GateEnv = {
  Bindings: Env;
  Variables: { requestId: string; config: GateConfig };
};

export type GateContext = Context<GateEnv>;

/** The answer to a request, its request id and the DPoP nonce put on by the app. */
export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
