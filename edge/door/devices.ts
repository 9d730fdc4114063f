/**
 * In rooms with entry passes: which device holds each account's place. Showing the pass elsewhere
 * raises the generation, and the lower one is told that its place has moved.
 */
export class Devices {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `create table if not exists devices (
         place text primary key, gen integer not null, device text not null)`,
    );
  }

  find(place: string): { gen: number; device: string } | undefined {
    const [row] = this.#sql
      .exec<{ gen: number; device: string }>(
        "select gen, device from devices where place = ? limit 1",
        place,
      )
      .toArray();
    return row && { gen: row.gen, device: row.device };
  }

  put(place: string, held: { gen: number; device: string }): void {
    this.#sql.exec(
      `insert into devices (place, gen, device) values (?, ?, ?)
       on conflict (place) do update set gen = excluded.gen, device = excluded.device`,
      place,
      held.gen,
      held.device,
    );
  }
}

export type DeviceVerdict =
  | { verdict: "same" | "new" | "moves"; gen: number }
  | { verdict: "stays" };

/**
 * @param shown the generation of the token that came along, if any.
 * @param claimed a place that is inside stays where it is.
 */
export function judgeDevice(input: {
  held: { gen: number; device: string } | undefined;
  device: string;
  shown: number | undefined;
  claimed: boolean;
}): DeviceVerdict {
  const { held, device, shown, claimed } = input;
  if (!held) return { verdict: "new", gen: shown ?? 1 };
  if (held.device === device) return { verdict: "same", gen: held.gen };
  if (claimed) return { verdict: "stays" };
  return { verdict: "moves", gen: held.gen + 1 };
}
