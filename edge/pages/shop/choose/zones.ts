import type { SeatMap } from "../../../../shared/contract/events.ts";
import type { House } from "../house/house.ts";

/** A price as the fan chooses by it: with what is left of it at this moment. */
export type ZoneFacts = SeatMap["zones"][number] & { index: number };

export const zonesOf = (map: SeatMap, house: House): ZoneFacts[] =>
  map.zones.map((zone, index) => ({
    ...zone,
    index,
    available: house.left.get(zone.id) ?? zone.available,
  }));
