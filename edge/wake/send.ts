import { base64url, importJWK, type JWK, SignJWT } from "jose";
import type { GateConfig } from "../env.ts";
import { OutboundError } from "../http/outbound.ts";
import { encryptPush } from "./encrypt.ts";
import { isPushEndpoint } from "./endpoint.ts";
import type { PushTarget, WakeWord } from "./wakers.ts";

/** One message to one browser, through its own push service (RFC 8030), signed by VAPID (RFC 8292). */

/** RFC 8292 allows 24 hours. */
const VAPID_MS = 12 * 3_600_000;
/** A call that comes after its time would be a false one. */
const TTL_SECONDS = { near: 300, called: 90 } as const;
const TOPIC_CHARS_MAX = 32;

/** `dead`: the browser has ended the subscription, or the service will never take it. */
export type PushAnswer = "sent" | "dead" | "later";

async function vapidOf(config: GateConfig, endpoint: string, now: number): Promise<string> {
  const { pushKey } = config;
  if (!pushKey) throw new Error("this gate has no PUSH_KEY");
  const token = await new SignJWT({
    aud: new URL(endpoint).origin,
    exp: Math.floor((now + VAPID_MS) / 1_000),
    sub: config.edgeOrigin,
  })
    .setProtectedHeader({ typ: "JWT", alg: "ES256" })
    .sign(await importJWK(pushKey.jwk as JWK, "ES256"));
  return `vapid t=${token}, k=${pushKey.publicKey}`;
}

/** What a service's status says about the subscription (RFC 8030 §7.3). Pure. */
export function judgeAnswer(status: number): PushAnswer {
  if (status >= 200 && status < 300) return "sent";
  if (status === 429 || status >= 500) return "later";
  return "dead";
}

export async function sendPush(
  config: GateConfig,
  target: PushTarget,
  word: WakeWord,
): Promise<PushAnswer> {
  const { endpoint } = target;
  // Asked again at the time of the call: the list may have become shorter since.
  if (!isPushEndpoint(endpoint, { hosts: config.pushHosts, secure: config.secure })) return "dead";
  try {
    const body = await encryptPush(
      { p256dh: base64url.decode(target.p256dh), auth: base64url.decode(target.auth) },
      new TextEncoder().encode(JSON.stringify(word)),
    );
    const answer = await config.outbound(endpoint, {
      method: "POST",
      headers: {
        authorization: await vapidOf(config, endpoint, Date.now()),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(TTL_SECONDS[word.kind]),
        urgency: "high",
        topic: word.event.slice(0, TOPIC_CHARS_MAX),
      },
      body,
    });
    return judgeAnswer(answer.status);
  } catch (error) {
    // A service on the list that sends us elsewhere, or floods us, is not asked again. No answer is
    // an ordinary state of a network; the next look tries again.
    return error instanceof OutboundError ? "dead" : "later";
  }
}
