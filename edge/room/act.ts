import { assert } from "../../shared/result.ts";
import { queueEpoch, queueInside } from "./closing.ts";
import type { RoomCore } from "./core.ts";
import { keepEvidence } from "./evidence.ts";
import type { Act, ActionInput, RoomView, Verdict } from "./messages.ts";
import { decideAction } from "./phase.ts";
import { openDoors } from "./restore.ts";
import { announce, announceBeacon, audited, newState, viewOf } from "./rooms.ts";
import { enterPhase, phaseFacts } from "./schedule.ts";
import type { RoomState } from "./state.ts";

/** An organizer's acts. Each is audited with its reason in the step that carries it out. */
export async function actOnRoom(
  room: RoomCore,
  input: ActionInput,
  act: Act,
): Promise<Verdict<RoomView>> {
  switch (input.action) {
    case "reset":
      return await resetRoom(room, act);
    case "admit":
      return await admitPlace(room, input, act);
    case "draw_without_beacon":
      return drawWithoutBeacon(room, act);
    case "open":
    case "pause":
    case "stop":
    case "resume":
    case "sold_out":
    case "reopen":
    case "close":
      return await changePhase(room, input.action, act);
  }
}

const impossible = (state: RoomState, detail: string): Verdict<never> => ({
  ok: false,
  code: "action_not_possible",
  detail,
  facts: { phase: state.phase },
});

type PhaseAct = Exclude<ActionInput["action"], "reset" | "admit" | "draw_without_beacon">;

async function changePhase(room: RoomCore, action: PhaseAct, act: Act): Promise<Verdict<RoomView>> {
  const { state } = room;
  const now = Date.now();
  const verdict = decideAction(phaseFacts(state), action, now);
  if (!verdict.ok) return impossible(state, verdict.why);
  const { change } = verdict;
  assert(change, "each of these acts changes the phase");
  // `stop`, and a close by hand, end those inside; the core is told. A scheduled close lets them finish.
  const endInside = change.endInside || action === "close";
  room.ledger.together(() => {
    const before = { phase: state.phase };
    enterPhase(state, { ...change, endInside }, now);
    state.reason = act.reason ?? "";
    state.version += 1;
    if (action === "open") announceBeacon(state, now, room.config.beaconChain);
    if (action === "reopen") forgetEmptiness(state);
    room.ledger.audit({ ...audited(act, now), action, before, after: { phase: change.phase } });
    room.bumpLine();
  });
  if (endInside) await queueInside(room, now, `room: ${action}`);
  await announce(room);
  await openDoors(room);
  return { ok: true, value: viewOf(state) };
}

/** Otherwise the next look at the pace would sell the room out again at once. */
function forgetEmptiness(state: RoomState): void {
  state.pace.nothingLeft = false;
  state.pace.memory = { ...state.pace.memory, emptySince: null };
}

async function admitPlace(
  room: RoomCore,
  input: ActionInput,
  act: Act,
): Promise<Verdict<RoomView>> {
  const { state } = room;
  if (!input.place) {
    const message = "which place to admit";
    return {
      ok: false,
      code: "invalid_request",
      detail: `place: ${message}`,
      facts: { field: "place", errors: [{ field: "place", message }] },
    };
  }
  const possible = decideAction(phaseFacts(state), "admit", Date.now());
  if (!possible.ok) return impossible(state, possible.why);
  const result = await room.line.admit(
    { epoch: state.epoch, restore: state.restore },
    { gen: state.gen, place: input.place },
  );
  if (result.state === "away" || result.state === "stale") return { ok: false, code: "not_ready" };
  if (result.state === "refused") return impossible(state, `The place is ${result.why}.`);
  room.ledger.together(() => {
    room.ledger.audit({
      ...audited(act, Date.now()),
      action: "admit",
      after: { place: input.place, number: result.number },
    });
    room.bump();
  });
  return { ok: true, value: viewOf(state) };
}

function drawWithoutBeacon(room: RoomCore, act: Act): Verdict<RoomView> {
  const { state } = room;
  const now = Date.now();
  const possible = decideAction(phaseFacts(state), "draw_without_beacon", now);
  if (!possible.ok) return impossible(state, possible.why);
  room.ledger.together(() => {
    state.draw.without = { at: now, by: act.actor, reason: act.reason ?? "" };
    state.version += 1;
    room.ledger.audit({ ...audited(act, now), action: "draw_without_beacon" });
    room.bumpLine();
  });
  return { ok: true, value: viewOf(state) };
}

/** A new epoch: nobody keeps a place or an admission. What the old one was stays in the evidence. */
async function resetRoom(room: RoomCore, act: Act): Promise<Verdict<RoomView>> {
  const old = room.state;
  const oldDoors = room.doors();
  const now = Date.now();
  room.ledger.together(() => {
    keepEvidence(room, { at: now, by: act.actor, reason: act.reason ?? "" });
    queueEpoch(room, now, "room: reset");
    room.ledger.clearEpoch();
    const next = newState(
      { event: old.event, createdAt: old.createdAt, epoch: old.epoch + 1, settings: old.settings },
      {
        now,
        gen: old.gen,
        restore: old.restore,
        version: old.version + 1,
        lineVersion: old.lineVersion + 1,
        v: old.v + 1,
      },
      room.config.beaconChain,
    );
    room.replace(next);
    room.ledger.audit({
      ...audited(act, now),
      action: "reset",
      before: { epoch: old.epoch, phase: old.phase },
      after: { epoch: next.epoch },
    });
  });
  assert(room.state.epoch === old.epoch + 1, "a reset makes the next epoch");
  await announce(room);
  await room.line.unlinkEpoch(old.epoch);
  await Promise.allSettled(oldDoors.map(({ stub, room: door }) => stub.end(door)));
  return { ok: true, value: viewOf(room.state) };
}
