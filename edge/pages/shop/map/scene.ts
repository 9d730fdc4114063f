import type { House, Seat, Section } from "../house/house.ts";
import type { Sprites } from "./sprites.ts";

/** What the plan shows besides the house itself. */
export type Scene = {
  house: House;
  zoneIndex: ReadonlyMap<string, number>;
  /** Only this price is looked for; the others step back. */
  onlyZone: string | undefined;
  chosen: ReadonlyMap<string, Seat>;
  /** Seats that somebody else was faster with, and what is free near them. */
  lost: readonly Seat[];
  offered: readonly Seat[];
  cursor: Seat | undefined;
  stageLabel: string;
  /** What is written on a block when there is room: its name, and how many people look at it. */
  watchers: Readonly<Record<string, number>>;
};

/** Everything that a frame is drawn with and that does not change with each of them. */
export type Ground = { scene: Scene; sprites: Sprites; ratio: number };

export const zoneOf = (scene: Scene, zone: string): number => scene.zoneIndex.get(zone) ?? 0;

export const isAside = (scene: Scene, zone: string): boolean =>
  scene.onlyZone !== undefined && scene.onlyZone !== zone;

export const shareFree = ({ available, states }: Section): number =>
  states.length === 0 ? 0 : available / states.length;
