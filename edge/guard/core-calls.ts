import { CORE_AUDIENCE } from "../../shared/token/claims.ts";
import { signToken } from "../../shared/token/sign.ts";
import type { GateConfig } from "../env.ts";

/** What the gate tells the core about admissions, with its own service token. */

const SERVICE_TOKEN_MS = 60_000;
const CORE_TIMEOUT_MS = 3_000;

export type CoreCall = { path: string; body: Record<string, unknown> };

/** With the generation, so that an admission the core has never seen in use is refused as well. */
export const closeCall = (
  event: string,
  admission: { place: string; gen: number },
  reason: string,
): CoreCall => ({
  path: `/v1/admissions/${event}/${admission.place}/close`,
  body: { gen: admission.gen, reason },
});

/** Admissions issued before this instant count no longer; seconds, since that is what `iat` has. */
export const notBeforeCall = (event: string, now: number, reason: string): CoreCall => ({
  path: `/v1/admissions/${event}/not-before`,
  body: { notBefore: new Date(Math.ceil(now / 1_000) * 1_000).toISOString(), reason },
});

/** `unknown`: the core has no such event, so it sells nothing for it and need not hear more. */
export type CoreAnswer = "done" | "unknown" | "away";

export async function tellCore(
  config: GateConfig,
  call: CoreCall & { event: string; requestId?: string },
): Promise<CoreAnswer> {
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
    if (answer.ok) return "done";
    return answer.status === 404 ? "unknown" : "away";
  } catch {
    // A dead core is an ordinary state: the caller tries again, or lets the admission run out.
    return "away";
  }
}
