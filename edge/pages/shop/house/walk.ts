import { findSeat, type House, type Row, type Seat, type Section, seatOf } from "./house.ts";

/** Seats by arrow keys: along the row, from row to row, and from block to block. Pure. */

/** The seat of a row that is nearest to this far across the block. */
function nearestIn(section: Section, row: Row, u: number): Seat {
  const i = Math.min(row.count - 1, Math.max(0, Math.round(u - row.u)));
  return seatOf(section, row, i);
}

/** Each block is turned towards the stage; the arrow goes the way that is nearest to it there. */
function turn(section: Section, dx: number, dy: number): { across: number; away: number } {
  const sin = Math.sin(section.spot.angle);
  const cos = Math.cos(section.spot.angle);
  const across = dx * cos - dy * sin;
  const away = dx * sin + dy * cos;
  return Math.abs(across) >= Math.abs(away)
    ? { across: Math.sign(across), away: 0 }
    : { across: 0, away: Math.sign(away) };
}

/** Over the block's edge: the nearest seat of another block that lies that way. */
function overTheEdge(house: House, from: Seat, dx: number, dy: number): Seat | undefined {
  let best: Seat | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const section of house.sections) {
    if (section.id === from.section) continue;
    for (const row of section.rows) {
      for (const i of [0, Math.floor(row.count / 2), row.count - 1]) {
        const seat = seatOf(section, row, i);
        const along = (seat.x - from.x) * dx + (seat.y - from.y) * dy;
        if (along < 0.4) continue;
        const aside = Math.abs((seat.x - from.x) * dy) + Math.abs((seat.y - from.y) * dx);
        const cost = along + aside * 2;
        if (cost >= bestCost) continue;
        best = seat;
        bestCost = cost;
      }
    }
  }
  return best;
}

export function neighbour(house: House, from: Seat, dx: number, dy: number): Seat | undefined {
  const section = house.sections.find(({ id }) => id === from.section);
  const r = section?.rows.findIndex(({ id }) => id === from.row) ?? -1;
  const row = section?.rows[r];
  if (!section || !row) return undefined;
  let i = 0;
  while (i < row.count && row.numberAt(i) !== from.number) i += 1;
  const { across, away } = turn(section, dx, dy);
  if (across !== 0 && i + across >= 0 && i + across < row.count)
    return seatOf(section, row, i + across);
  const next = away === 0 ? undefined : section.rows[r + away];
  if (next) return nearestIn(section, next, row.u + i);
  return overTheEdge(house, from, dx, dy);
}

/** Where the keys begin: a free seat of the first block, so that Enter does something. */
export function firstSeat(house: House): Seat | undefined {
  for (const section of house.sections)
    for (const row of section.rows)
      for (let i = 0; i < row.count; i += 1) {
        const seat = seatOf(section, row, i);
        if (seat.state === "available") return seat;
      }
  const [section] = house.sections;
  const row = section?.rows[0];
  return section && row ? findSeat(house, seatOf(section, row, 0).id) : undefined;
}
