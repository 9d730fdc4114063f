const COLUMNS = `
  select t.id, t.event_id as event, t.seat_id as seat, t.zone_id as zone, t.state, t.issue, t.code,
    t.holder_name as holder, e.name as "eventName", e.venue, iso_time(e.starts_at) as "startsAt",
    e.time_zone as "timeZone", t.transferred_at is not null as transferred, z.name as "zoneName",
    c.name as section, s.row_id as row, s.number
  from tickets t
    join events e on e.event_id = t.event_id
    join zones z on z.event_id = t.event_id and z.zone_id = t.zone_id
    left join seats s on s.event_id = t.event_id and s.seat_id = t.seat_id
    left join sections c on c.event_id = s.event_id and c.section_id = s.section_id`;

export const TICKETS_OF_ORDER = `${COLUMNS}
  where t.order_id = $1 order by t.line_no, t.unit, t.id`;

export const TICKET_BY_ID = `${COLUMNS} where t.id = $1 and t.order_id = $2`;

export const KEEP_CODE = `
  update tickets set code = coalesce(code, $3) where id = $1 and issue = $2 returning code`;

export type TicketRow = {
  id: string;
  event: string;
  seat: string | null;
  zone: string;
  state: "valid" | "used" | "void";
  issue: number;
  code: string | null;
  holder: string | null;
  eventName: string;
  venue: string;
  startsAt: string;
  timeZone: string;
  /** Handed on: the code is its new holder's alone. */
  transferred: boolean;
  zoneName: string;
  section: string | null;
  row: string | null;
  number: number | null;
};

export const HOLDER_OF = `
  select order_id as order, issue, transferred_at is not null as transferred
  from tickets where id = $1`;

export type HolderRow = { order: string; issue: number; transferred: boolean };
