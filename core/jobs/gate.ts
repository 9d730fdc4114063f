import { z } from "zod";
import type { CapacityReport } from "../../shared/contract/rooms.ts";
import { GATE_AUDIENCE } from "../../shared/token/claims.ts";
import type { KeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import type { Clock, Log } from "../context.ts";

/** What the core tells the gate, with its service token. */
export type GateClient = {
  /**
   * Gives a slot back. `done` also when the gate has no such slot any more; `again` when the gate
   * did not answer, and the job tries later.
   */
  releaseSlot(input: { event: string; place: string; jti: string }): Promise<GateVerdict>;
  /** `untilMs`: the slot's end as the gate now keeps it. */
  extendSlot(input: {
    event: string;
    place: string;
    jti: string;
    untilMs: number;
  }): Promise<GateVerdict>;
  reportCapacity(event: string, report: CapacityReport): Promise<GateVerdict>;
};

export type GateVerdict = "done" | "again";

export const GATE_CALL_MS = 3_000;
const SERVICE_TOKEN_S = 300;
/** A token is renewed this long before it ends. */
const RENEW_S = 60;

type GateOptions = {
  origin: string;
  edgeOrigin: string;
  keys: KeySet;
  clock: Clock;
  log: Log;
};

const segment = z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/);

export function createGateClient(options: GateOptions): GateClient {
  let token: { value: Promise<string>; exp: number } | undefined;

  const serviceToken = (): Promise<string> => {
    const now = Math.floor(options.clock.now() / 1000);
    if (token && token.exp - RENEW_S > now) return token.value;
    const exp = now + SERVICE_TOKEN_S;
    const value = signToken(options.keys, "service", {
      iss: options.origin,
      aud: GATE_AUDIENCE,
      sub: "core",
      scope: "slots capacity exchange",
      events: ["*"],
      iat: now,
      exp,
    });
    token = { value, exp };
    return value;
  };

  const post = async (path: string, body: unknown): Promise<GateVerdict> => {
    try {
      const answer = await fetch(`${options.edgeOrigin}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${await serviceToken()}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
        redirect: "error",
        signal: AbortSignal.timeout(GATE_CALL_MS),
      });
      await answer.body?.cancel();
      if (answer.ok) return "done";
      options.log.warn({ path, status: answer.status }, "the gate refused");
      // No such room or slot is an end; a refused token, a limit or trouble of its own is not.
      return [404, 409, 410].includes(answer.status) ? "done" : "again";
    } catch (error) {
      options.log.warn({ path, err: error }, "the gate did not answer");
      return "again";
    }
  };

  const slotPath = (event: string, place: string) =>
    `/api/rooms/${segment.parse(event)}/slots/${segment.parse(place)}`;

  return {
    releaseSlot: ({ event, place, jti }) =>
      post(slotPath(event, place), { action: "release", jti }),
    extendSlot: ({ event, place, jti, untilMs }) =>
      post(slotPath(event, place), { action: "extend", jti, untilMs }),
    reportCapacity: (event, report) => post(`/api/rooms/${segment.parse(event)}/capacity`, report),
  };
}
