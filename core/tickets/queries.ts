const COLUMNS = `
  select t.id, t.event_id as event, t.seat_id as seat, t.zone_id as zone, t.state, t.issue, t.code,
    t.holder_name as holder, e.name as "eventName", e.venue, iso_time(e.starts_at) as "startsAt",
    e.time_zone as "timeZone"
  from tickets t join events e on e.event_id = t.event_id`;

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
};
