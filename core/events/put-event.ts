import type { EventPut } from "../../shared/contract/events.ts";
import { Refusal } from "../../shared/errors.ts";
import { actorName, type Ctx, type OrganizerActor } from "../context.ts";
import { planFaults, planOf } from "./plan.ts";

const FAULTS_MAX = 20;

type Put =
  | { result: "created" | "changed"; seats: number; version: number }
  | { result: "version_conflict"; version: number }
  | { result: "event_in_use"; problems: { what: string; id: string; why: string }[] };

/**
 * Creates the event, or changes it into what is described, all or nothing. What would lose something
 * held or sold is refused, naming each. With `version`, what somebody else changed meanwhile is not
 * written over.
 */
export async function putEvent(
  ctx: Ctx<OrganizerActor>,
  input: { event: string; put: EventPut; version?: number | undefined },
): Promise<{ created: boolean; seats: number; version: number }> {
  const faults = planFaults(input.put);
  const [first] = faults;
  if (first)
    throw new Refusal("invalid_request", {
      detail: `${first.field}: ${first.message}`,
      facts: { errors: faults.slice(0, FAULTS_MAX) },
    });
  // 60,000 seats take a second or two, on a connection that no fan waits for.
  const done = await ctx.db.call<Put>(
    "put_event",
    [input.event, planOf(input.put), actorName(ctx.actor), ctx.requestId, input.version ?? null],
    { slow: true },
  );
  if (done.result === "version_conflict")
    throw new Refusal("version_conflict", { facts: { version: done.version } });
  if (done.result === "event_in_use") {
    const [problem] = done.problems;
    throw new Refusal("event_in_use", {
      ...(problem ? { detail: `${problem.what} ${problem.id} ${problem.why}` } : {}),
      facts: { problems: done.problems },
    });
  }
  ctx.live.publish({ event: input.event });
  return { created: done.result === "created", seats: done.seats, version: done.version };
}
