import type { Env } from "../env.ts";

/** Before there is any room, an object of nobody's asks Redis in a Door's way. */
export async function isReadyDoor(env: Env): Promise<{ ok: boolean; detail: string }> {
  return await env.DOOR.get(env.DOOR.idFromName("readiness")).ping();
}
