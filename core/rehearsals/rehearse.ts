import type { RehearsalPlan, RehearsalReport, RehearsalView } from "../../shared/contract/sales.ts";
import { Refusal } from "../../shared/errors.ts";
import { EVENT_ID_PATTERN } from "../../shared/ids.ts";
import { assert } from "../../shared/result.ts";
import { actorName, type Ctx, type OrganizerActor } from "../context.ts";
import { putEvent } from "../events/put-event.ts";
import { readEventPut } from "../events/read-events.ts";
import { runCrowd } from "./crowd.ts";
import { putTwinRoom, readRoom, removeTwinRoom } from "./gate-room.ts";
import { createTally } from "./tally.ts";

/**
 * A rehearsal: a synthetic crowd against a copy of the event, on the very servers that will sell it.
 *
 * Why a copy and not the event itself: nothing of the crowd can then ever stand in the real line, the
 * real draw or the real books, and "traces removed" is the removal of the copy. Nobody but the crowd
 * gets into it: the copy's room takes only passes that this core signs, and gives none to people. Its
 * prices are nought, so no payment provider ever hears of it.
 */

/** The crowd is there before the doors, as a real one is. */
const OPENS_IN_MS = 8_000;
const RUN_MS_MAX = 900_000;
const BEAT_MS = 5_000;
/** Nobody has said for so long that it runs: whoever ran it is gone. */
const SILENT_MS_MAX = 60_000;

const running = new Map<string, AbortController>();

export const twinOf = (event: string, id: string): string =>
  `${event.slice(0, 40)}-rehearsal-${id
    .replace(/[^a-z0-9]/gi, "")
    .toLowerCase()
    .slice(-8)}`;

export async function startRehearsal(
  ctx: Ctx<OrganizerActor>,
  input: { event: string } & RehearsalPlan,
): Promise<RehearsalView> {
  const { event, reason, ...plan } = input;
  const room = await readRoom(ctx, event);
  if (!room) throw new Refusal("unknown_event", { detail: "The event has no waiting room yet." });
  const { presence } = room;
  const people = presence.pool + presence.waiting + presence.inside;
  if (people > 0 || !["upcoming", "closed"].includes(presence.phase))
    throw new Refusal("rehearsal_refused", {
      detail: `The room is ${presence.phase}, with ${people} people.`,
      facts: { phase: presence.phase, people },
    });
  const id = ctx.ids.newId("reh");
  const twin = twinOf(event, id);
  assert(EVENT_ID_PATTERN.test(twin), "the copy has a good id");
  const { verdict } = await ctx.db.call<{ verdict: string }>("begin_rehearsal", [
    id,
    event,
    twin,
    plan,
    actorName(ctx.actor),
    reason,
    ctx.requestId,
  ]);
  if (verdict === "unknown_event") throw new Refusal("unknown_event");
  if (verdict !== "started")
    throw new Refusal("rehearsal_refused", {
      detail: verdict === "running" ? "One is running already." : "Somebody holds seats.",
    });
  const { standing, hasSeats, opensAt } = await makeTwin(ctx, { event, twin, ...room }).catch(
    async (error: unknown) => {
      await endRehearsal(ctx, { id, twin, state: "failed" });
      throw error;
    },
  );
  // It goes on by itself; what it comes to is kept in its row.
  void perform(ctx, { id, twin, opensAt, plan, standing, hasSeats });
  return readRehearsal(ctx, { event, id });
}

async function makeTwin(
  ctx: Ctx<OrganizerActor>,
  input: {
    event: string;
    twin: string;
    settings: Parameters<typeof putTwinRoom>[1]["settings"];
  },
) {
  const { event, twin, settings } = input;
  const put = await readEventPut(ctx, { event });
  const now = ctx.clock.now();
  const { saleClosesAt: _, addons: __, ...rest } = put;
  await putEvent(ctx, {
    event: twin,
    put: {
      ...rest,
      saleOpensAt: new Date(now - 60_000).toISOString(),
      zones: put.zones.map((zone) => ({ ...zone, price: 0 })),
    },
  });
  await ctx.db.write("update events set rehearsal_of = $2 where event_id = $1", [twin, event]);
  const opensAt = now + OPENS_IN_MS;
  await putTwinRoom(ctx, { event, twin, settings, opensAt });
  return {
    opensAt,
    standing: put.zones.filter(({ kind }) => kind === "standing").map(({ id }) => id),
    hasSeats: put.sections.some(({ rows }) => rows.length > 0),
  };
}

type Running = {
  id: string;
  twin: string;
  opensAt: number;
  plan: Omit<RehearsalPlan, "reason">;
  standing: readonly string[];
  hasSeats: boolean;
};

async function perform(ctx: Ctx<OrganizerActor>, input: Running): Promise<void> {
  const { id, twin } = input;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), RUN_MS_MAX);
  const beat = setInterval(() => {
    ctx.db
      .write<{ state: string }>(
        "update rehearsals set beat_at = clock_timestamp() where id = $1 returning state",
        [id],
      )
      // Ended from another process: this one stops, too.
      .then(([row]) => row?.state === "running" || stop.abort())
      .catch((error: unknown) => ctx.log.warn({ err: error, id }, "a rehearsal's beat failed"));
  }, BEAT_MS);
  running.set(id, stop);
  const tally = createTally();
  try {
    await runCrowd(ctx, { ...input, signal: stop.signal, tally });
    await endRehearsal(ctx, { id, twin, state: "ended", report: tally.report() });
  } catch (error) {
    ctx.log.error({ err: error, id }, "a rehearsal failed");
    await endRehearsal(ctx, { id, twin, state: "failed", report: tally.report() }).catch(
      (fault: unknown) => ctx.log.error({ err: fault, id }, "a rehearsal was not cleared away"),
    );
  } finally {
    clearTimeout(timer);
    clearInterval(beat);
    running.delete(id);
  }
}

/** Removes the copy at gate and core; safe to repeat. */
async function endRehearsal(
  ctx: Ctx,
  input: { id: string; twin: string; state: "ended" | "failed"; report?: RehearsalReport },
): Promise<void> {
  await removeTwinRoom(ctx, input.twin);
  await ctx.db.call("remove_rehearsal_event", [input.twin], { slow: true });
  await ctx.db.call("end_rehearsal", [
    input.id,
    input.state,
    input.report ?? null,
    actorName(ctx.actor),
    ctx.requestId,
  ]);
}

/** Stops the crowd where it runs, and clears the copy away. */
export async function stopRehearsal(
  ctx: Ctx<OrganizerActor>,
  input: { event: string; id: string },
): Promise<RehearsalView> {
  const view = await readRehearsal(ctx, input);
  const mine = running.get(input.id);
  mine?.abort();
  if (view.state === "running" && !mine)
    await endRehearsal(ctx, { id: view.id, twin: view.copy, state: "failed" });
  return readRehearsal(ctx, input);
}

/** A job: what a dead process left is cleared away by another. */
export async function sweepRehearsals(ctx: Ctx): Promise<number> {
  const left = await ctx.db.read<{ id: string; twin: string }>(
    `select id, twin_id as twin from rehearsals
     where state = 'running' and beat_at < clock_timestamp() - make_interval(secs => $1 / 1000.0)
     limit 10`,
    [SILENT_MS_MAX],
  );
  for (const { id, twin } of left) await endRehearsal(ctx, { id, twin, state: "failed" });
  return left.length;
}

const VIEW = `
  select jsonb_strip_nulls(jsonb_build_object('id', id, 'event', event_id, 'copy', twin_id,
    'state', state, 'plan', plan, 'report', report, 'startedBy', started_by,
    'startedAt', iso_time(started_at), 'endedAt', iso_time(ended_at))) as view
  from rehearsals where event_id = $1 and ($2::text is null or id = $2)
  order by started_at desc limit 20`;

export async function listRehearsals(
  ctx: Pick<Ctx, "db">,
  event: string,
): Promise<RehearsalView[]> {
  const rows = await ctx.db.read<{ view: RehearsalView }>(VIEW, [event, null]);
  return rows.map(({ view }) => view);
}

async function readRehearsal(
  ctx: Pick<Ctx, "db">,
  input: { event: string; id: string },
): Promise<RehearsalView> {
  const [row] = await ctx.db.read<{ view: RehearsalView }>(VIEW, [input.event, input.id]);
  if (row === undefined) throw new Refusal("not_found");
  return row.view;
}
