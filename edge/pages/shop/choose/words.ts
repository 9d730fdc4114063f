import { fill } from "../../kit/i18n.ts";
import type { House, Seat } from "../house/house.ts";
import type { Words } from "../words.ts";
import type { ZoneFacts } from "./zones.ts";

/** Puts seats in words: where one is, what it costs, whether it can be had. */
export function seatWords(words: Words, house: House, zones: readonly ZoneFacts[]) {
  const { texts, format } = words;
  const place = (seat: Seat): string[] => [
    house.sections.find(({ id }) => id === seat.section)?.name ?? seat.section,
    fill(texts.row, { row: seat.row }),
    fill(texts.seatNumber, { number: String(seat.number) }),
  ];
  return {
    nameOf: (seat: Seat): string => place(seat).join(", "),
    describe(seat: Seat, isChosen: boolean): string {
      const zone = zones.find(({ id }) => id === seat.zone);
      const kind = seat.accessible
        ? texts.accessible
        : seat.companion
          ? texts.companion
          : undefined;
      const state = isChosen ? texts.stateChosen : texts[`state_${seat.state}`];
      return [...place(seat), zone?.name, zone && format.money(zone.price), kind, state]
        .filter((part) => part !== undefined)
        .join(", ");
    },
  };
}
