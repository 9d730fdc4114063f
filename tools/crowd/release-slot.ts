// A shop tells the gate when somebody is done, with its service token; a slot is otherwise kept until
// its end even if the fan leaves. The crowd of `npm run dev` never reaches a shop, so this is done
// for it, with the core's key: else it would fill the room for ten minutes and block real people.
import { decodeJwt } from "jose";
import { GATE_AUDIENCE } from "../../shared/token/claims.ts";
import { importKeySet, type KeyEntry } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";

const TOKEN_S = 600;
const CALL_TIMEOUT_MS = 10_000;

export type ReleaseSlot = (event: string, admissionToken: string) => Promise<void>;

export async function createSlotRelease(
  origins: { readonly edge: string; readonly core: string },
  coreKeys: readonly KeyEntry[],
): Promise<ReleaseSlot> {
  const keys = await importKeySet(coreKeys, ["service"]);
  const makeToken = (event: string): Promise<string> => {
    const iat = Math.floor(Date.now() / 1_000);
    return signToken(keys, "service", {
      iss: origins.core,
      aud: GATE_AUDIENCE,
      sub: "crowd",
      scope: "slots",
      events: [event],
      iat,
      exp: iat + TOKEN_S,
    });
  };
  return async (event, admissionToken) => {
    const { sub, jti } = decodeJwt(admissionToken);
    const response = await fetch(`${origins.edge}/api/rooms/${event}/slots/${sub}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await makeToken(event)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ action: "release", jti }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`release answered ${response.status}: ${text}`);
  };
}
