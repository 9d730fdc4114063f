import { CORE_AUDIENCE } from "../../shared/token/claims.ts";
import { signToken } from "../../shared/token/sign.ts";
import type { GateConfig } from "../env.ts";

/** What the gate tells the core about admissions, with its own service token. */

const SERVICE_TOKEN_MS = 60_000;
const CORE_TIMEOUT_MS = 3_000;

export type CoreCall = { path: string; body: Record<string, unknown> };

export const closeCall = (event: string, place: string, reason: string): CoreCall => ({
  path: `/v1/admissions/${event}/${place}/close`,
  body: { reason },
});

/** Admissions issued before this instant count no longer; seconds, since that is what `iat` has. */
export const notBeforeCall = (event: string, now: number, reason: string): CoreCall => ({
  path: `/v1/admissions/${event}/not-before`,
  body: { notBefore: new Date(Math.ceil(now / 1_000) * 1_000).toISOString(), reason },
});

/** @returns whether the core has heard it. 404 counts: an event it does not have sells nothing. */
export async function tellCore(
  config: GateConfig,
  call: CoreCall & { event: string; requestId?: string },
): Promise<boolean> {
  const now = Date.now();
  const token = await signToken(config.keys, "service", {
    iss: config.edgeOrigin,
    aud: CORE_AUDIENCE,
    sub: "gate",
    iat: Math.floor(now / 1_000),
    exp: Math.floor((now + SERVICE_TOKEN_MS) / 1_000),
    scope: "admissions",
    events: [call.event],
  });
  try {
    const answer = await fetch(config.coreOrigin + call.path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(call.requestId === undefined ? {} : { "x-request-id": call.requestId }),
      },
      body: JSON.stringify(call.body),
      signal: AbortSignal.timeout(CORE_TIMEOUT_MS),
      redirect: "manual",
    });
    await answer.body?.cancel();
    return answer.ok || answer.status === 404;
  } catch {
    // A dead core is an ordinary state: the caller tries again, or lets the admission run out.
    return false;
  }
}
