import { Refusal } from "../../shared/errors.ts";
import type { Ctx, ServiceActor } from "../context.ts";

/** The gate ends an admission: the fan left, the slot was released, the room was closed. */
export async function closeAdmission(
  ctx: Ctx<ServiceActor>,
  input: { event: string; place: string; gen?: number | undefined },
): Promise<void> {
  await ctx.db.call("close_admission", [input.event, input.place, input.gen ?? null]);
}

/** The gate's room was reset: whatever it issued before this instant counts no longer. */
export async function raiseNotBefore(
  ctx: Ctx<ServiceActor>,
  input: { event: string; notBefore: string },
): Promise<void> {
  const { known } = await ctx.db.call<{ known: boolean }>("raise_admissions_not_before", [
    input.event,
    input.notBefore,
  ]);
  if (!known) throw new Refusal("unknown_event");
}

/** Whether an admission still counts in the database: not closed, not of an older generation. */
export async function isAdmissionLive(
  ctx: Pick<Ctx, "db">,
  fan: { event: string; place: string; gen: number; issuedAtMs: number },
): Promise<boolean> {
  const [row] = await ctx.db.read<{ live: boolean }>(
    `select not exists (
        select 1 from admissions
        where event_id = $1 and place = $2
          and (gen > $3 or (closed_at is not null and gen >= $3))
      ) and not exists (
        select 1 from events
        where event_id = $1 and admissions_not_before > to_timestamp($4::double precision / 1000)
      ) as live`,
    [fan.event, fan.place, fan.gen, fan.issuedAtMs],
  );
  return row?.live === true;
}
