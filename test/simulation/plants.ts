// Bugs for the scripts of a simulated line: each one must be noticed, or the simulation proves nothing.
import type { ScriptTexts } from "../../edge/line/types.ts";
import { plantInScript } from "../invariants/plant.ts";

export const PLANTS: Readonly<Record<string, () => ScriptTexts>> = {
  /** After a loss counting goes on where the lost Redis stood. */
  numbers: () =>
    plantInScript("refill", [
      "local last = (b.fresh or not drawn) and highest(4, 0) or highest(4, reserved.number)",
      "local last = highest(4, 0)",
    ]),
  /** Whatever is due is let in, however many are inside. */
  cap: () =>
    plantInScript("tick", [
      "local free = m.active_max - call('ZCARD', INSIDE)",
      "local free = m.active_max",
    ]),
  /** The minute begins with the clock's, and calls come as fast as they may. */
  window: () => ({
    ...plantInScript("turn", [
      "call('ZREMRANGEBYSCORE', PASSES, '-inf', digits(now - WINDOW_MS))",
      "call('ZREMRANGEBYSCORE', PASSES, '-inf', digits(now - now % WINDOW_MS))",
    ]),
    tick: plantInScript("tick", [
      "m.bucket = math.min(m.bucket, math.max(cap, m.rate))",
      "m.bucket = 1000",
    ]).tick,
  }),
};
