import type { Ctx } from "../context.ts";

/**
 * Reading the audit log. Writing is never a call of its own: the SQL function `append_audit` is part
 * of the statement that does the thing, so there is no act without its line.
 */

export type AuditLine = {
  seq: number;
  at: string;
  actor: string;
  action: string;
  event?: string;
  target?: string;
  details: Record<string, unknown>;
  requestId?: string;
};

/** Newest first; `before` pages on. */
export async function readAudit(
  ctx: Pick<Ctx, "db">,
  input: { event: string | undefined; before: number | undefined; limit: number },
): Promise<AuditLine[]> {
  const rows = await ctx.db.read<{ line: AuditLine }>(
    `select jsonb_strip_nulls(jsonb_build_object(
       'seq', seq, 'at', iso_time(at), 'actor', actor, 'action', action, 'event', event_id,
       'target', target, 'details', details, 'requestId', request_id)) as line
     from audit_log
     where ($1::text is null or event_id = $1) and ($2::bigint is null or seq < $2)
     order by seq desc limit $3`,
    [input.event ?? null, input.before ?? null, input.limit],
  );
  return rows.map(({ line }) => line);
}
