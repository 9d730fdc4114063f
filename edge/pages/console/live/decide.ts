import type { Phase } from "../../../../shared/contract/queue.ts";
import type { RoomActionName } from "../../../../shared/contract/rooms.ts";

/** What the console offers and foretells. Pure; the gate decides all of it again. */

const POSSIBLE: Readonly<Record<Phase, readonly RoomActionName[]>> = {
  upcoming: ["open", "close"],
  drawing: ["draw_without_beacon", "close"],
  open: ["pause", "stop", "admit", "sold_out", "close"],
  paused: ["resume", "stop", "sold_out", "close"],
  sold_out: ["reopen", "stop", "close"],
  closed: ["reopen", "reset"],
};

export const actionsFor = (phase: Phase): readonly RoomActionName[] => POSSIBLE[phase];

/** Acts that end something for people. */
export const isGrave = (action: RoomActionName): boolean =>
  action === "stop" || action === "close" || action === "reset" || action === "sold_out";

export type PaceFacts = {
  waiting: number;
  /** Of those who are called, the share that never comes: they take no slot. */
  noShowShare: number;
  ratePerMinute: number;
  activeMax: number;
  sessionMs: number;
};
export type Effect = {
  /** Until the last one now waiting is in; undefined when nobody waits. */
  lastInMs: number | undefined;
  /** What the cap lets through when everybody stays as long as they may. */
  capPerMinute: number;
  boundBy: "rate" | "cap";
};

/** What a rate and a cap would do to those who wait now. */
export function effectOf(facts: PaceFacts): Effect {
  const capPerMinute = Math.max(1, Math.floor((facts.activeMax * 60_000) / facts.sessionMs));
  const perMinute = Math.max(1, Math.min(facts.ratePerMinute, capPerMinute));
  const people = facts.waiting * (1 - facts.noShowShare);
  return {
    lastInMs: facts.waiting === 0 ? undefined : (people / perMinute) * 60_000,
    capPerMinute,
    boundBy: capPerMinute < facts.ratePerMinute ? "cap" : "rate",
  };
}

/** 6 a minute and 6,000 a minute are both somebody's right number: the slider is logarithmic. */
export const sliderOf = (value: number): number => Math.round(Math.log10(Math.max(1, value)) * 250);
export function fromSlider(slider: number): number {
  const value = 10 ** (slider / 250);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.max(1, Math.round(value / step) * step);
}

export type Health = "good" | "slow" | "bad" | "unknown";

/** How old a figure may be before it is no longer live. */
export const FRESH_MS = 2_000;

/**
 * When the line was counted: at its last beat, not when it was asked. A closed room has no more beats,
 * since nothing moves in it.
 */
export const countedAt = (figures: { at: string; phase: Phase; store: { at: string } }): string =>
  figures.phase === "closed" ? figures.at : figures.store.at;

export function ageOf(at: string | undefined, now: number): number | undefined {
  return at === undefined ? undefined : Math.max(0, now - Date.parse(at));
}
