// Fans who follow the published poll plan, in simulated time, against the real scripts and the real
// call-forward: who is called comes within some seconds (or never), asks every two seconds, claims, stays.

import { decideAdvance, NO_CALLS, seeTick } from "../../../edge/room/call-forward.ts";
import { type Fan, newFan, type Rig } from "./rig.ts";

export interface CrowdPlan {
  readonly fans: number;
  /** Of all, who has closed the page and never comes. */
  readonly goneShare: number;
  /** Of those who come, whose page is in the background and asks once a minute. */
  readonly hiddenShare: number;
  readonly seconds: number;
  /** Slots are released after so long. */
  readonly staysMs: number;
}

const POLL_MS = 2_000;
const HIDDEN_POLL_MS = 60_000;
const PARTS = 5;
/** Near the front a page polls every five seconds at most, so it notices its call within that. */
const NOTICE_MAX_MS = 5_000;

export interface CrowdResult {
  readonly claims: readonly number[];
  readonly called: number;
  readonly doorMost: number;
}

export async function runCrowd(
  rig: Rig,
  plan: CrowdPlan,
  random: () => number,
): Promise<CrowdResult> {
  const fans = Array.from({ length: plan.fans }, (_, i) => newFan(`c${i}`));
  for (let i = 0; i < fans.length; i += 400) {
    await Promise.all(fans.slice(i, i + 400).map((fan) => rig.join(fan)));
    await rig.tick();
  }
  const there = fans.filter(() => random() >= plan.goneShare);
  const hidden = new Set(there.filter(() => random() < plan.hiddenShare));
  const nextAt = new Map<Fan, number>();
  const inside = new Map<Fan, number>();
  const claims: number[] = [];
  let calls = NO_CALLS;
  let calling = 0;
  let freed: { at: number; total: number }[] = [];
  let counts = (await rig.tick()).counts;
  let doorMost = 0;
  let next = 0;
  const takeTurns = async () => {
    const due = [...nextAt].filter(([, at]) => at <= rig.now).map(([fan]) => fan);
    const turns = await Promise.all(
      due.map(async (fan) => ({ fan, result: await rig.turn(fan, hidden.has(fan)) })),
    );
    for (const { fan, result: turn } of turns) {
      if (turn.state === "admitted") {
        claims.push(turn.claimedAt);
        inside.set(fan, rig.now + plan.staysMs);
        nextAt.delete(fan);
      } else if (hidden.has(fan))
        nextAt.set(fan, rig.now + HIDDEN_POLL_MS * (0.8 + random() * 0.4));
      else nextAt.set(fan, rig.now + (turn.state === "ready" ? turn.retryAfterMs : POLL_MS));
    }
  };
  for (let second = 0; second < plan.seconds; second += 1) {
    rig.now += 1_000;
    const before = freed[0]?.total ?? counts.freed;
    const facts = {
      ratePerMinute: rig.settings.ratePerMinute,
      door: counts.door,
      freeSlots: rig.settings.activeMax - counts.inside,
      freedPerMinute: counts.freed - before,
    };
    const result = await rig.tick({ advance: decideAdvance(calls, facts, rig.now) });
    counts = result.counts;
    freed = [
      ...freed.filter(({ at }) => at > rig.now - 60_000),
      { at: rig.now, total: counts.freed },
    ];
    calls = seeTick(calls, { now: rig.now, ...result, byNumbers: false });
    doorMost = Math.max(doorMost, counts.door);
    calling = result.calledTo;
    for (
      ;
      next < there.length && (there[next]?.number ?? Number.POSITIVE_INFINITY) <= calling;
      next += 1
    ) {
      const fan = there[next];
      if (fan) {
        const within = hidden.has(fan) ? HIDDEN_POLL_MS : NOTICE_MAX_MS;
        nextAt.set(fan, rig.now + random() * within);
      }
    }
    // A page comes back when it was told to, not on the second.
    const beat = rig.now;
    for (let part = 0; part < PARTS; part += 1) {
      rig.now = beat + (part * 1_000) / PARTS;
      await takeTurns();
    }
    rig.now = beat;
    for (const [fan, until] of inside) {
      if (until > rig.now) continue;
      await rig.release(fan);
      inside.delete(fan);
    }
  }
  return { claims, called: calling, doorMost };
}
