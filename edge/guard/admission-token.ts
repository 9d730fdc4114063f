import type { AdmissionView } from "../../shared/contract/queue.ts";
import { ADMISSION_EXP_MARGIN_MS } from "../../shared/limits.ts";
import { coreAudience } from "../../shared/token/claims.ts";
import { signToken } from "../../shared/token/sign.ts";
import type { GateConfig } from "../env.ts";
import type { RoomEntry } from "../room/directory.ts";

/**
 * Signs what the core trusts. It ends a minute before the slot, so that no clock lets it outlive the
 * slot; in the shortest sessions, halfway, so that there is something left of it.
 */
export async function signAdmission(
  config: GateConfig,
  room: Pick<RoomEntry, "event" | "epoch">,
  slot: {
    place: string;
    gen: number;
    jti: string;
    claimedAt: number;
    until: number;
    account?: string | undefined;
    jkt?: string | undefined;
  },
): Promise<AdmissionView> {
  const marginMs = Math.min(ADMISSION_EXP_MARGIN_MS, (slot.until - slot.claimedAt) / 2);
  const iat = Math.floor(slot.claimedAt / 1_000);
  const exp = Math.floor((slot.until - marginMs) / 1_000);
  const token = await signToken(config.keys, "admission", {
    iss: config.edgeOrigin,
    aud: coreAudience(room.event),
    sub: slot.place,
    epoch: room.epoch,
    gen: slot.gen,
    jti: slot.jti,
    iat,
    nbf: iat,
    exp,
    ...(slot.account === undefined ? {} : { acct: slot.account }),
    ...(slot.jkt === undefined ? {} : { cnf: { jkt: slot.jkt } }),
  });
  return {
    token,
    type: slot.jkt === undefined ? "Bearer" : "DPoP",
    expiresAt: new Date(exp * 1_000).toISOString(),
  };
}
