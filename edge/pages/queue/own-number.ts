import type { Facts } from "./facts.ts";

/**
 * A drawn number, computed here from the seed that the gate has revealed: no call, and so no
 * stampede at the opening. The code for it is fetched only when there is something to compute.
 */
export async function ownNumber(facts: Facts): Promise<number | undefined> {
  const { number, place, status } = facts;
  const index = place?.index;
  if (number !== undefined || index === undefined || !status) return number;
  const { seed, beacon, size } = status.pool;
  if (seed === undefined || size === undefined || index >= size) return undefined;
  if (beacon?.kind === "drand" && beacon.randomness === undefined) return undefined;
  const { fromHex } = await import("../../../shared/draw/hex.ts");
  const { NO_BEACON } = await import("../../../shared/draw/key.ts");
  const { drawOf } = await import("../../../shared/draw/numbers.ts");
  const draw = drawOf({
    seed: fromHex(seed),
    beacon: beacon?.randomness === undefined ? NO_BEACON : fromHex(beacon.randomness),
    event: status.event,
    epoch: status.epoch,
    count: size,
  });
  return draw.numberOf(index);
}
