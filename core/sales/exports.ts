// Lists of a sale as CSV (RFC 4180), for a spreadsheet or an accountant.
import type { Deps } from "../context.ts";

const ROWS_MAX = 500_000;

export const EXPORTS = ["orders", "tickets", "refunds", "payments", "audit"] as const;
export type Export = (typeof EXPORTS)[number];

const QUERIES: Readonly<Record<Export, string>> = {
  orders: `
    select o.id as order, o.state, iso_time(o.created_at) as created, iso_time(o.paid_at) as paid,
      o.buyer_name as name, o.buyer_email as email, o.buyer_locale as locale,
      (select count(*) from tickets t where t.order_id = o.id and t.state <> 'void') as tickets,
      o.total_amount as amount_minor, o.currency, o.complimentary, o.reseated
    from orders o where o.event_id = $1 order by o.created_at, o.id limit $2`,
  tickets: `
    select t.id as ticket, t.order_id as order, t.state, z.name as zone, s.section_id as section,
      s.row_id as row, s.number, l.unit_amount as amount_minor, l.currency,
      coalesce(t.holder_name, o.buyer_name) as holder, iso_time(t.used_at) as used
    from tickets t
      join orders o on o.id = t.order_id
      join order_lines l on l.order_id = t.order_id and l.line_no = t.line_no
      join zones z on z.event_id = t.event_id and z.zone_id = t.zone_id
      left join seats s on s.event_id = t.event_id and s.seat_id = t.seat_id
    where t.event_id = $1 order by t.created_at, t.id limit $2`,
  refunds: `
    select r.id as refund, r.order_id as order, r.attempt_id as attempt, r.state,
      iso_time(r.created_at) as created, iso_time(r.ended_at) as ended, r.amount as amount_minor,
      r.currency, cardinality(r.tickets) as tickets, r.reason, r.created_by as by, r.failure
    from refunds r where r.event_id = $1 order by r.created_at, r.id limit $2`,
  payments: `
    select a.id as attempt, a.order_id as order, a.state, a.reason, a.method, a.origin,
      iso_time(a.created_at) as created, iso_time(a.ended_at) as ended, a.amount as amount_minor,
      a.captured_amount as captured_minor, a.currency, a.provider, a.provider_ref as reference,
      a.unknown_cause, a.settled
    from payment_attempts a where a.event_id = $1 order by a.created_at, a.id limit $2`,
  audit: `
    select l.seq, iso_time(l.at) as at, l.actor, l.action, l.target, l.details::text as details,
      l.request_id as request, encode(l.hash, 'hex') as hash
    from audit_log l where l.event_id = $1 order by l.seq limit $2`,
};

type Row = Record<string, string | number | boolean | null>;

/** A cell that a spreadsheet would take for a formula gets an apostrophe (OWASP: CSV injection). */
function cellOf(value: Row[string]): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Pure. The first line names the columns, also when nothing follows it. */
export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column] ?? null)).join(","));
  return `${[columns.join(","), ...lines].join("\r\n")}\r\n`;
}

/** What stands between `select` and `from`, by its names. */
const columnsOf = (query: string): string[] =>
  query
    .slice(0, query.indexOf("\n    from "))
    .replace(/^\s*select /, "")
    .replace(/\([^()]*(\([^()]*\)[^()]*)*\)/g, "")
    .split(",")
    .map((part) => /([a-z_]+)\s*$/.exec(part.trim())?.[1] ?? "");

export async function exportCsv(
  deps: Pick<Deps, "db">,
  input: { event: string; what: Export },
): Promise<string> {
  const query = QUERIES[input.what];
  const rows = await deps.db.read<Row>(query, [input.event, ROWS_MAX], { slow: true });
  const [first] = rows;
  return csvOf(first ? Object.keys(first) : columnsOf(query), rows);
}
