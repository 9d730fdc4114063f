import type { EventView } from "../../../../shared/contract/events.ts";
import type { RoomView } from "../calls/room.ts";

/** The looks of a room as they are kept: what nobody gave is left out. Pure. */

export type Brand = RoomView["branding"];

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

/** An older room's one link is the first of its links. */
export const linksOf = ({ link, links }: Brand): NonNullable<Brand["links"]> => [
  ...(link ? [link] : []),
  ...(links ?? []),
];

export function tidyBrand(brand: Brand): Brand {
  const { link: _, texts, ...plain } = brand;
  const links = linksOf(brand).filter(({ text, href }) => text !== "" && href !== "");
  const own = Object.entries(texts ?? {}).flatMap(([language, said]) => {
    const words = Object.entries(said ?? {}).filter(([, text]) => text !== "");
    return words.length === 0 ? [] : [[language, Object.fromEntries(words)]];
  });
  const given = Object.entries({ ...plain, links }).filter(([, value]) => isGiven(value));
  return {
    ...Object.fromEntries(given),
    ...(own.length === 0 ? {} : { texts: Object.fromEntries(own) }),
  };
}

/** When the event begins, by the clocks at the venue; a room that does not say it, says it no more. */
export function timedBrand(
  brand: Brand,
  event: Pick<EventView, "startsAt" | "timeZone"> | undefined,
): Brand {
  const { startsAt: _, timeZone: __, ...rest } = brand;
  return event === undefined
    ? rest
    : { ...rest, startsAt: event.startsAt, timeZone: event.timeZone };
}
