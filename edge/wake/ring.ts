import type { StatusDocument } from "../../shared/contract/queue.ts";
import type { DoorDesk } from "../door/desk.ts";
import type { GateConfig } from "../env.ts";
import { tellCore } from "../guard/core-calls.ts";
import { log } from "../http/problem.ts";
import { type Due, decideDue } from "./due.ts";
import { type PushAnswer, sendPush } from "./send.ts";
import type { MailTarget, PushTarget, Waker } from "./wakers.ts";

/** A Door's look at whom it should wake. Bounded: what is left over comes with the next look. */

export const RING_MS = 5_000;
const RING_MAX = 40;
const TRIES_MAX = 3;
const NUMBERED_PER_LOOK = 2_000;

const NEAR = 1;

export async function ringWakers(
  desk: DoorDesk,
  config: GateConfig,
  readStatus: () => Promise<string | undefined>,
): Promise<void> {
  if (desk.wakers.count === 0) return;
  const text = await readStatus();
  if (text === undefined) return;
  const due = decideDue(JSON.parse(text) as StatusDocument);
  if (due === "over") desk.wakers.forgetAll();
  if (due === undefined || due === "over") return;
  for (const { place, index } of desk.wakers.unnumbered(NUMBERED_PER_LOOK)) {
    const number = await desk.drawnNumberOf(index);
    if (number === undefined) break;
    desk.wakers.setNumber(place, number);
  }
  await Promise.all(roundOf(desk, due).map((waker) => tell(desk, config, { waker, due })));
}

/** Those now called come before those nearly there. */
function roundOf({ wakers }: DoorDesk, due: Due): Waker[] {
  const called = wakers.due({ kind: "push", stage: NEAR, upTo: due.called, limit: RING_MAX });
  const near = wakers.due({ kind: "push", stage: 0, upTo: due.nearPush, limit: RING_MAX });
  const mails = wakers.due({ kind: "mail", stage: 0, upTo: due.nearMail, limit: RING_MAX });
  const told = new Set(called.map(({ place }) => place));
  return [...called, ...near.filter(({ place }) => !told.has(place)), ...mails];
}

async function tell(
  desk: DoorDesk,
  config: GateConfig,
  more: { waker: Waker; due: Due },
): Promise<void> {
  const { waker, due } = more;
  const { event } = desk.room;
  const { place, kind, number } = waker;
  const isCalled = number <= due.called;
  let answer: PushAnswer;
  if (kind === "push") {
    const word = { kind: isCalled ? ("called" as const) : ("near" as const), event, number };
    answer = await sendPush(config, JSON.parse(waker.target) as PushTarget, word);
  } else {
    const { email, locale } = JSON.parse(waker.target) as MailTarget;
    const told = await tellCore(config, {
      event,
      path: `/v1/admissions/${event}/${place}/nearly`,
      body: { email, locale, number },
    });
    answer = told === "done" ? "sent" : told === "unknown" ? "dead" : "later";
  }
  const isOver = answer === "later" ? waker.tries + 1 >= TRIES_MAX : answer === "dead";
  if (answer === "later" && !isOver) desk.wakers.countTry(waker);
  else if (isOver || isCalled || kind === "mail") desk.wakers.drop(waker);
  else desk.wakers.setStage(waker, NEAR);
  if (answer !== "sent") log("door.wake_failed", { event, kind, answer });
}
