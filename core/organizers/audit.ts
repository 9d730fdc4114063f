import { actorName, type Ctx } from "../context.ts";

/**
 * One line of the audit log. An act that is a statement writes its line inside it, by calling the SQL
 * function `append_audit` there, so that neither exists without the other; this verb is for acts that
 * are more than one statement, or none.
 */
export async function appendAudit(
  ctx: Ctx,
  input: {
    action: string;
    event?: string;
    target?: string;
    details?: Record<string, unknown>;
  },
): Promise<void> {
  await ctx.db.call("append_audit", [
    actorName(ctx.actor),
    input.action,
    input.event ?? null,
    input.target ?? null,
    input.details ?? {},
    ctx.requestId,
  ]);
}

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
