import type { RoomSettings } from "../../shared/contract/rooms.ts";
import type { BeaconChain } from "../../shared/draw/beacon.ts";
import { toHex } from "../../shared/draw/hex.ts";
import { commitmentTo } from "../../shared/draw/key.ts";
import { followPace } from "./capacity.ts";
import { directoryEntry, opensAtOf, type RoomCore } from "./core.ts";
import { announceRound, openingMayMove } from "./draw.ts";
import type { Act, PatchInput, PutInput, RoomView, Verdict } from "./messages.ts";
import { mayMoveOpening } from "./phase.ts";
import { phaseFacts } from "./schedule.ts";
import { applyPatch, differences, judgeSchedule, judgeSettings } from "./settings.ts";
import { freshEpoch, type RoomState } from "./state.ts";

/** Making a room and changing its settings. Each change is audited in the step that makes it. */

export function viewOf(state: RoomState): RoomView {
  return {
    event: state.event,
    epoch: state.epoch,
    version: state.version,
    phase: state.phase,
    ...(state.reason ? { reason: state.reason } : {}),
    ...state.settings,
  };
}

export async function putRoom(
  room: RoomCore,
  input: PutInput & { event: string },
  act: Act,
): Promise<Verdict<{ view: RoomView; created: boolean }>> {
  const before = room.exists ? room.state.settings : undefined;
  const judged = judgeAll(room, before, input.settings);
  if (!judged.ok) return judged;
  if (room.exists) {
    const changed = await changeSettings(
      room,
      { settings: judged.value, ...ifMatchOf(input) },
      act,
    );
    return changed.ok ? { ok: true, value: { view: changed.value, created: false } } : changed;
  }
  const now = Date.now();
  const state = newState(
    { event: input.event, createdAt: now, epoch: 1, settings: judged.value },
    { now, gen: Math.floor(now / 1_000), restore: 0, version: 1, lineVersion: 1, v: 1 },
    room.config.beaconChain,
  );
  room.ledger.together(() => {
    room.replace(state);
    room.ledger.audit({ ...audited(act, now), action: "create", after: judged.value });
  });
  await announce(room);
  return { ok: true, value: { view: viewOf(state), created: true } };
}

export async function patchRoom(
  room: RoomCore,
  input: PatchInput,
  act: Act,
): Promise<Verdict<RoomView>> {
  const settings = applyPatch(room.state.settings, input.patch);
  const judged = judgeAll(room, room.state.settings, settings);
  if (!judged.ok) return judged;
  return await changeSettings(room, { settings: judged.value, ...ifMatchOf(input) }, act);
}

function judgeAll(
  room: RoomCore,
  before: RoomSettings | undefined,
  settings: RoomSettings,
): Verdict<RoomSettings> {
  const judged = judgeSettings(room.config, settings);
  return judged.ok ? judgeSchedule(before, settings, Date.now()) : judged;
}

const ifMatchOf = (input: { ifMatch?: number }) =>
  input.ifMatch === undefined ? {} : { ifMatch: input.ifMatch };

async function changeSettings(
  room: RoomCore,
  input: PutInput,
  act: Act,
): Promise<Verdict<RoomView>> {
  const { state } = room;
  if (input.ifMatch !== undefined && input.ifMatch !== state.version)
    return { ok: false, code: "version_conflict", facts: { version: state.version } };
  const now = Date.now();
  const refused = judgeMoment(state, input, now);
  if (refused) return refused;
  const change = differences(state.settings, input.settings);
  room.ledger.together(() => {
    state.settings = input.settings;
    state.version += 1;
    if (state.phase === "upcoming") announceBeacon(state, now, room.config.beaconChain);
    room.ledger.audit({ ...audited(act, now), action: "settings", ...change });
    room.bumpLine();
    followPace(room, now);
  });
  await announce(room);
  return { ok: true, value: viewOf(state) };
}

/** Some settings are fixed once people rely on them. */
function judgeMoment(state: RoomState, input: PutInput, now: number): Verdict<never> | undefined {
  const { settings } = state;
  const next = input.settings;
  const early = state.phase === "upcoming";
  // A closed room may be given another opening: it counts from the next epoch on.
  const mayMove = early || state.phase === "closed";
  const fixed = (field: string, why: string): Verdict<never> => ({
    ok: false,
    code: "invalid_request",
    detail: `${field}: ${why}`,
    facts: { field, errors: [{ field, message: why }] },
  });
  if (!early && next.early !== settings.early)
    return fixed("early", "fixed once the room has opened");
  if (!mayMove && Date.parse(next.opensAt) !== Date.parse(settings.opensAt))
    return fixed("opensAt", "the room has opened already; close it first, and reset it then");
  const joined = (state.counts?.issued ?? 0) + (state.counts?.nextIndex ?? 0) > 0;
  if (joined && next.early !== settings.early)
    return fixed("early", "fixed once somebody has joined; reset the room to change it");
  if (!early && JSON.stringify(next.beacon) !== JSON.stringify(settings.beacon))
    return fixed("beacon", "fixed once the pool is shut");
  const moves = Date.parse(next.opensAt) !== Date.parse(settings.opensAt);
  const frozen = !openingMayMove({ now, opensAt: opensAtOf(state), beacon: settings.beacon.kind });
  if (early && frozen && next.beacon.kind !== settings.beacon.kind)
    return fixed("beacon", "fixed in the last minute before a draw with a beacon");
  if (!moves || settings.beacon.kind === "none") return undefined;
  const verdict = mayMoveOpening(phaseFacts(state), Date.parse(next.opensAt), now);
  return verdict.ok ? undefined : fixed("opensAt", verdict.why);
}

/** R is fixed, and shown, when the opening is. An opening that is already due takes place now. */
export function announceBeacon(state: RoomState, now: number, chain: BeaconChain): void {
  if (state.settings.early !== "draw" || state.settings.beacon.kind !== "drand") {
    state.draw.round = undefined;
    return;
  }
  if (opensAtOf(state) <= now) state.openedAt ??= now;
  const round = announceRound(chain, opensAtOf(state));
  const known = state.draw.round;
  if (known?.round === round.round && known.chain.hash === chain.hash) return;
  state.draw.round = { ...round, announcedAt: now, chain };
}

export function newState(
  room: { event: string; createdAt: number; epoch: number; settings: RoomState["settings"] },
  more: {
    now: number;
    gen: number;
    restore: number;
    version: number;
    lineVersion: number;
    v: number;
  },
  chain: BeaconChain,
): RoomState {
  const { now, ...counters } = more;
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const state: RoomState = {
    ...freshEpoch(room, { now, seed: toHex(seed), commitment: toHex(commitmentTo(seed)) }),
    ...counters,
  };
  announceBeacon(state, now, chain);
  return state;
}

export const audited = (act: Act, at: number) => ({
  at,
  actor: act.actor,
  reason: act.reason,
  requestId: act.requestId,
});

/** Workers learn of the room, and of what they must know of it, from the Directory. */
export async function announce(room: RoomCore): Promise<void> {
  const { DIRECTORY } = room.env;
  await DIRECTORY.get(DIRECTORY.idFromName("directory")).put(directoryEntry(room.state));
}
