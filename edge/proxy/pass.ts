import type { GateContext } from "../http/context.ts";

/** Requests for a proxied site; everything else is the gate's own. */
export async function passOn(_c: GateContext): Promise<Response | undefined> {
  return undefined;
}
