import type { EventPut } from "../../shared/contract/events.ts";
import { offsetFault } from "./zone-offset.ts";

/**
 * From what an organizer describes to the plan that the database applies: zones, sections, one layout
 * a row. Pure; every fault names where it is.
 */

export type PlanRow = {
  section: string;
  row: string;
  zone: string;
  rank: number;
  /** One letter a place: g general, a accessible, c companion, `.` no seat here. */
  layout: string;
  /** A number for each seat; null when they are 1…n. */
  numbers: number[] | null;
};

export type Plan = Omit<EventPut, "zones" | "sections" | "addons"> & {
  zones: (Omit<EventPut["zones"][number], "capacity"> & { capacity: number; ordinal: number })[];
  sections: { id: string; name: string; ordinal: number }[];
  rows: PlanRow[];
  addons: {
    id: string;
    variant: string;
    name: string;
    price: number;
    stock: number;
    ordinal: number;
  }[];
};

export type PlanFault = { field: string; message: string };

type InputRow = EventPut["sections"][number]["rows"][number];

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const PLACES_MAX = 1_000;
const SEATS_MAX = 200_000;

/**
 * Neighbours are seats whose numbers follow each other in the row's own step: 1, 2, 3, or 1, 3, 5 in
 * a house with odd and even sides. A larger step is a gap, and nobody sits together across it.
 */
export function layoutOf(row: InputRow): { layout: string; numbers: number[] | null } {
  const numbers =
    typeof row.seats === "number"
      ? Array.from({ length: row.seats }, (_, index) => index + 1)
      : row.seats;
  const accessible = new Set(row.accessible);
  const companions = new Set(row.companions);
  const steps = numbers.slice(1).map((number, index) => Math.abs(number - (numbers[index] ?? 0)));
  const step = Math.min(...steps);
  const layout = numbers
    .map((number, index) => {
      const gap = index > 0 && steps[index - 1] !== step ? "." : "";
      return gap + (accessible.has(number) ? "a" : companions.has(number) ? "c" : "g");
    })
    .join("");
  const isCount = numbers.every((number, index) => number === index + 1);
  return { layout, numbers: isCount ? null : numbers };
}

function rowFaults(row: InputRow, field: string, zones: Map<string, string>): PlanFault[] {
  const faults: PlanFault[] = [];
  const numbers = typeof row.seats === "number" ? undefined : row.seats;
  const kind = zones.get(row.zone);
  if (kind === undefined) faults.push({ field: `${field}.zone`, message: `no zone "${row.zone}"` });
  else if (kind !== "seated")
    faults.push({ field: `${field}.zone`, message: `zone "${row.zone}" is standing` });
  if (numbers && new Set(numbers).size < numbers.length)
    faults.push({ field: `${field}.seats`, message: "the same number twice" });
  for (const list of ["accessible", "companions"] as const) {
    const stranger = row[list]?.find((number) =>
      numbers ? !numbers.includes(number) : number > Number(row.seats),
    );
    if (stranger !== undefined)
      faults.push({ field: `${field}.${list}`, message: `there is no seat ${stranger}` });
  }
  const both = row.companions?.find((number) => row.accessible?.includes(number));
  if (both !== undefined)
    faults.push({ field: `${field}.companions`, message: `seat ${both} is accessible already` });
  return faults;
}

function doubles(ids: readonly string[], field: string): PlanFault[] {
  const seen = new Set<string>();
  return ids.flatMap((id, index) => {
    if (seen.has(id)) return [{ field: `${field}.${index}.id`, message: `"${id}" twice` }];
    seen.add(id);
    return [];
  });
}

export function planFaults(put: EventPut): PlanFault[] {
  const zones = new Map(put.zones.map(({ id, kind }) => [id, kind as string]));
  const seats = put.sections.reduce(
    (sum, { rows }) =>
      sum + rows.reduce((n, { seats: of }) => n + (typeof of === "number" ? of : of.length), 0),
    0,
  );
  const times: PlanFault[] =
    put.saleClosesAt !== undefined && Date.parse(put.saleClosesAt) <= Date.parse(put.saleOpensAt)
      ? [{ field: "saleClosesAt", message: "is not after saleOpensAt" }]
      : [];
  const money: PlanFault[] = CURRENCIES.has(put.currency)
    ? []
    : [{ field: "currency", message: `"${put.currency}" is no currency` }];
  const clocks = (["startsAt", "saleOpensAt", "saleClosesAt"] as const).flatMap((field) => {
    const message = offsetFault(put[field] ?? "", put.timeZone);
    return message === undefined ? [] : [{ field, message }];
  });
  return [
    ...money,
    ...times,
    ...clocks,
    ...doubles(
      put.zones.map(({ id }) => id),
      "zones",
    ),
    ...doubles(
      put.sections.map(({ id }) => id),
      "sections",
    ),
    ...doubles(
      (put.addons ?? []).map(({ id }) => id),
      "addons",
    ),
    ...put.zones.flatMap((zone, index): PlanFault[] =>
      zone.kind === "standing" && zone.capacity === undefined
        ? [{ field: `zones.${index}.capacity`, message: "a standing zone needs one" }]
        : zone.kind === "seated" && zone.capacity !== undefined
          ? [{ field: `zones.${index}.capacity`, message: "a seated zone is the sum of its seats" }]
          : [],
    ),
    ...put.sections.flatMap(({ rows }, section) => [
      ...doubles(
        rows.map(({ id }) => id),
        `sections.${section}.rows`,
      ),
      ...rows.flatMap((row, index) => {
        const field = `sections.${section}.rows.${index}`;
        const long = layoutOf(row).layout.length > PLACES_MAX;
        return [
          ...rowFaults(row, field, zones),
          ...(long ? [{ field: `${field}.seats`, message: `more than ${PLACES_MAX} places` }] : []),
        ];
      }),
    ]),
    ...(put.addons ?? []).flatMap(({ variants = [] }, index) =>
      new Set(variants).size < variants.length
        ? [{ field: `addons.${index}.variants`, message: "the same variant twice" }]
        : [],
    ),
    ...(seats > SEATS_MAX ? [{ field: "sections", message: `more than ${SEATS_MAX} seats` }] : []),
  ];
}

/** Of a description without faults. Rows rank in the order given: the first is the best. */
export function planOf(put: EventPut): Plan {
  let rank = 0;
  const rows: PlanRow[] = [];
  for (const section of put.sections) {
    // A rank is left out between sections, so that rows of two are never neighbours.
    rank += 1;
    for (const row of section.rows) {
      rows.push({ section: section.id, row: row.id, zone: row.zone, rank, ...layoutOf(row) });
      rank += 1;
    }
  }
  return {
    ...put,
    zones: put.zones.map((zone, ordinal) => ({ ...zone, capacity: zone.capacity ?? 0, ordinal })),
    sections: put.sections.map(({ id, name }, ordinal) => ({ id, name, ordinal })),
    rows,
    addons: (put.addons ?? []).flatMap((addon, ordinal) =>
      (addon.variants?.length ? addon.variants : [""]).map((variant) => ({
        id: addon.id,
        variant,
        name: addon.name,
        price: addon.price,
        stock: addon.stock,
        ordinal,
      })),
    ),
  };
}
