import type { TurnResult } from "../line/types.ts";
import type { DoorDesk } from "./desk.ts";
import type { LookOutcome, Refused, Standing, TurnInput, TurnOutcome } from "./messages.ts";

/** Turns that cannot be answered come back after 2 to 5 s, spread so that they do not come together. */
const AWAY_RETRY_MS_MIN = 2_000;
const AWAY_RETRY_MS_SPREAD = 3_000;
/** Before the opening, and for a number that follows: nothing to see any sooner. */
const POOLED_RETRY_MS = 5_000;
const LATE_RETRY_MS = 2_000;

export const away = (): Refused => ({
  kind: "away",
  retryAfterMs: AWAY_RETRY_MS_MIN + Math.floor(Math.random() * AWAY_RETRY_MS_SPREAD),
});

/** The near-front heartbeat; the first one of a place with a slot claims it. */
export async function takeTurn(desk: DoorDesk, input: TurnInput): Promise<TurnOutcome> {
  const now = Date.now();
  const refused = refuse(desk, input, now);
  if (refused) return refused;
  const result = await askLine(desk, input, "turn");
  switch (result.state) {
    case "waiting":
    case "ready":
      return waitingOf(desk, { input, result, retryAfterMs: result.retryAfterMs });
    case "pooled":
      return waitingOf(desk, { input, result, retryAfterMs: POOLED_RETRY_MS });
    case "late":
    case "unknown":
      return waitingOf(desk, { input, result, retryAfterMs: LATE_RETRY_MS });
    case "admitted": {
      desk.rows.put(result.row);
      desk.wakers.forget(input.place);
      const { jti, claimedAt, until, number } = result;
      const code = input.wantsCode
        ? await desk.codes.make(
            {
              place: input.place,
              gen: input.gen,
              jti,
              claimedAt,
              until,
              ...(input.account === undefined ? {} : { account: input.account }),
            },
            now,
          )
        : undefined;
      return {
        kind: "admitted",
        number,
        jti,
        claimedAt,
        until,
        ...(code === undefined ? {} : { code }),
      };
    }
    case "gone":
      desk.rows.put(result.row);
      desk.wakers.forget(input.place);
      return { kind: "gone" };
    case "away":
      desk.onAway(result);
      return away();
  }
}

/** The place as it stands; nothing moves. */
export async function lookAtPlace(desk: DoorDesk, input: TurnInput): Promise<LookOutcome> {
  const refused = refuse(desk, input, Date.now());
  if (refused) return refused;
  const result = await askLine(desk, input, "peek");
  switch (result.state) {
    case "waiting":
    case "ready":
    case "pooled":
    case "late":
    case "unknown": {
      const {
        retryAfterMs: _,
        missed: __,
        ...seen
      } = waitingOf(desk, { input, result, retryAfterMs: 0 });
      return seen;
    }
    case "admitted":
      return { kind: "admitted", number: result.number, calling: result.calling };
    case "gone":
      return { kind: "gone" };
    case "away":
      desk.onAway(result);
      return away();
  }
}

/** What needs no Redis: a moved or finished place, a used proof, a loop. */
export function refuse(desk: DoorDesk, input: TurnInput, now: number): Refused | undefined {
  const device = desk.devices.find(input.place);
  if (device && device.gen > input.gen) return { kind: "moved" };
  if (
    input.proof &&
    !desk.proofs.take(`${input.place} ${input.proof.id}`, { now, untilMs: input.proof.untilMs })
  )
    return { kind: "replayed" };
  const retryAfterMs = desk.limits.take(input.place, now);
  if (retryAfterMs > 0) return { kind: "too_many", retryAfterMs };
  const row = desk.rows.find(input.place);
  if (row && (row.kind === "gone" || row.kind === "finished" || row.kind === "left"))
    return { kind: "gone" };
  return undefined;
}

/** Asks the line, under the Room's fence and never behind a clock that stands still. */
async function askLine(
  desk: DoorDesk,
  input: Standing & { hidden: boolean },
  verb: "turn" | "peek",
): Promise<TurnResult> {
  if (input.number !== undefined) desk.seeReceipt(input.place);
  const fence = await desk.readyFence();
  if (!fence) return UNREADY;
  const number =
    input.number ?? (await desk.drawnNumberOf(input.index)) ?? desk.told.find(input.place);
  const row = desk.rows.find(input.place);
  const question = {
    place: input.place,
    number: number ?? null,
    hidden: input.hidden,
    ...(row ? { row } : {}),
  };
  if (verb === "turn" && desk.clockStands(Date.now())) {
    const seen = await desk.line.peek(fence, question);
    if (seen.state === "away") return seen;
    desk.seeClock(seen.clock, Date.now());
    if (desk.clockStands(Date.now())) return UNREADY;
  }
  let result = await desk.line[verb](fence, question);
  // The signed index wins over one that a late join has put in its stead after a loss.
  if (result.state === "pooled" && input.index !== undefined && result.index !== input.index) {
    if (verb === "turn") await joinAgain(desk, input);
    result = { ...result, index: input.index };
  }
  if (result.state === "pooled" && number === undefined) {
    const drawn = await desk.drawnNumberOf(result.index);
    if (drawn !== undefined) result = await desk.line[verb](fence, { ...question, number: drawn });
  }
  if (result.state === "unknown" && verb === "turn") await joinAgain(desk, input);
  if (result.state !== "away") desk.seeClock(result.clock, Date.now());
  return result;
}

/** A place whose token is good but whom Redis does not know yet: it is entered, its number follows. */
async function joinAgain(desk: DoorDesk, input: Standing): Promise<void> {
  if (!desk.fence) return;
  await desk.line.join(desk.fence, {
    place: input.place,
    receipt: input.index === undefined ? { kind: "none" } : { kind: "index", index: input.index },
  });
}

const UNREADY: TurnResult = {
  state: "away",
  reason: "filling",
  maybeDone: false,
  detail: "the Room has not accepted this Redis yet",
};

type Seen = Exclude<TurnResult, { state: "away" | "gone" | "admitted" }>;

function waitingOf(
  desk: DoorDesk,
  more: { input: Standing; result: Seen; retryAfterMs: number },
): Extract<TurnOutcome, { kind: "waiting" | "ready" }> {
  const { input, result, retryAfterMs } = more;
  const index = result.state === "pooled" ? result.index : input.index;
  const number = tellable(desk, input, index, result);
  if (number !== undefined) desk.highest = Math.max(desk.highest, number);
  return {
    kind: result.state === "ready" ? "ready" : "waiting",
    ...(number === undefined ? {} : { number }),
    ...(index === undefined ? {} : { index }),
    ...(result.state === "waiting" ? { ahead: result.ahead } : {}),
    ...(result.state === "waiting" && result.missed > 0 ? { missed: result.missed } : {}),
    ...(result.state === "ready" ? { ahead: 0 } : {}),
    calling: result.calling,
    retryAfterMs,
  };
}

/** A number that nothing durable vouches for yet is written down first, or not told. */
function tellable(
  desk: DoorDesk,
  input: Standing,
  index: number | undefined,
  result: Seen,
): number | undefined {
  const vouched = input.number ?? desk.numberOf(index);
  const shown = result.state === "waiting" || result.state === "ready" ? result.number : vouched;
  if (shown === undefined || shown === vouched) return shown;
  return desk.told.put(input.place, shown) ? shown : undefined;
}
