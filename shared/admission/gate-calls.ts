import { z } from "zod";
import { CORE_AUDIENCE, GATE_AUDIENCE, type ServiceScope } from "../token/claims.ts";
import type { KeySet } from "../token/keys.ts";
import { remoteKeys } from "../token/remote-keys.ts";
import { signToken } from "../token/sign.ts";
import { type KeyFinder, verifyToken } from "../token/verify.ts";
import { readAuthorization } from "./authorization.ts";

/**
 * What a shop's server says to the gate, and hears from it. The shop signs with a service key of its
 * own; the gate's deployment names it in `ISSUERS` and finds the public half at the shop's
 * `/.well-known/jwks.json` (`keys.jwks`).
 */
export type GateCalls = {
  /**
   * Changes the single-use code of `?sira_code=` for the admission, within 30 s of its making.
   *
   * @returns `undefined` for a code that is unknown, used or too old.
   * @throws {GateUnavailable} when the gate cannot be reached, or refuses our service token.
   */
  exchange(event: string, code: string): Promise<Exchanged | undefined>;
  /** Gives the slot back, so that the next person is let in at once. Safe to repeat. */
  release(event: string, slot: { place: string; jti: string }): Promise<void>;
  /** Keeps the slot until `until`, while somebody pays; never shortens it, nor beyond the cap. */
  extend(event: string, slot: { place: string; jti: string }, until: Date): Promise<void>;
  /**
   * Whether a call to `/v1/admissions/{event}/{place}/close` comes from the gate: it tells the
   * service named as its `CORE_ORIGIN` that an admission has ended early.
   */
  isFromGate(authorization: string | null | undefined, event: string): Promise<boolean>;
};

export type Exchanged = { place: string; token: string; expiresAt: Date };

/** The gate gave no usable answer: try again a little later. */
export class GateUnavailable extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

const TOKEN_MS = 60_000;
const TIMEOUT_MS = 5_000;

const exchangedSchema = z.object({
  place: z.string(),
  admission: z.object({ token: z.string(), expiresAt: z.string() }),
});

export function createGateCalls(options: {
  /** The gate's public origin. */
  gate: string;
  /** The shop's own origin, as `ISSUERS` of the gate names it in `iss`. */
  issuer: string;
  /** Needs an active key for `service`. */
  keys: KeySet;
  findGateKey?: KeyFinder;
}): GateCalls {
  const { gate, issuer, keys } = options;
  const findGateKey = options.findGateKey ?? remoteKeys(new URL("/.well-known/jwks.json", gate));

  const post = async (path: string, event: string, scope: ServiceScope, body: object) => {
    const iat = Math.floor(Date.now() / 1_000);
    const token = await signToken(keys, "service", {
      ...{ iss: issuer, aud: GATE_AUDIENCE, sub: "shop", scope, events: [event] },
      ...{ iat, exp: iat + TOKEN_MS / 1_000 },
    });
    try {
      return await fetch(gate + path, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new GateUnavailable(`the gate cannot be reached: ${String(error)}`);
    }
  };
  const slot = async (event: string, place: string, body: object) => {
    const path = `/api/rooms/${event}/slots/${encodeURIComponent(place)}`;
    const answer = await post(path, event, "slots", body);
    await answer.body?.cancel();
    if (!answer.ok) throw new GateUnavailable(`the gate answered ${answer.status}`, answer.status);
  };

  return {
    async exchange(event, code) {
      const answer = await post(`/api/queue/${event}/exchange`, event, "exchange", { code });
      if (answer.status === 404 || answer.status === 422) {
        await answer.body?.cancel();
        return undefined;
      }
      if (!answer.ok) {
        await answer.body?.cancel();
        throw new GateUnavailable(`the gate answered ${answer.status}`, answer.status);
      }
      const { place, admission } = exchangedSchema.parse(await answer.json());
      return { place, token: admission.token, expiresAt: new Date(admission.expiresAt) };
    },
    release: (event, { place, jti }) => slot(event, place, { action: "release", jti }),
    extend: (event, { place, jti }, until) =>
      slot(event, place, { action: "extend", jti, untilMs: until.getTime() }),
    async isFromGate(authorization, event) {
      const read = readAuthorization(authorization ?? undefined);
      if (!read.ok || read.value.scheme !== "bearer") return false;
      const verified = await verifyToken(read.value.token, findGateKey, {
        use: "service",
        issuer: gate,
        audience: CORE_AUDIENCE,
        now: Date.now(),
      });
      if (!verified.ok) return false;
      const { scope, events } = verified.value;
      const isMeant = events.includes("*") || events.includes(event);
      return isMeant && scope.split(" ").includes("admissions");
    },
  };
}
