import type { Env, GateConfig } from "../env.ts";
import { doorByName } from "./rooms.ts";

/** Before there is any room, an object of nobody's asks Redis in a Door's way. */
export async function isReadyDoor(
  env: Env,
  config: GateConfig,
): Promise<{ ok: boolean; detail: string }> {
  return await doorByName(env, config, "readiness").ping();
}
