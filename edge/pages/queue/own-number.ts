import type { Facts } from "./facts.ts";

/** A failed fetch is forgotten, so that the next look tries again. */
let code: ReturnType<typeof fetchCode> | undefined;

const fetchCode = () =>
  Promise.all([
    import("../../../shared/draw/hex.ts"),
    import("../../../shared/draw/key.ts"),
    import("../../../shared/draw/numbers.ts"),
  ]);

/**
 * A drawn number, computed here from the seed that the gate has revealed: no call, and so no
 * stampede at the opening. The code for it is fetched while the pool is open, by those in the pool
 * alone: at the opening there may be no network, and nobody should come for a file then.
 */
export async function ownNumber(facts: Facts): Promise<number | undefined> {
  const { number, place, status } = facts;
  const index = place?.index;
  if (number !== undefined || index === undefined || !status) return number;
  code ??= fetchCode();
  const parts = await code.catch(() => undefined);
  if (!parts) {
    code = undefined;
    return undefined;
  }
  const { seed, beacon, size } = status.pool;
  if (seed === undefined || size === undefined || index >= size) return undefined;
  const [{ fromHex }, { NO_BEACON }, { drawOf }] = parts;
  // With the seed out, a beacon without a value is one that the draw went on without.
  const draw = drawOf({
    seed: fromHex(seed),
    beacon: beacon?.randomness === undefined ? NO_BEACON : fromHex(beacon.randomness),
    event: status.event,
    epoch: status.epoch,
    count: size,
  });
  return draw.numberOf(index);
}
