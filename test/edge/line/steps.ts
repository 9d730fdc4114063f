// What may happen to a line in the model test, and how often.

import fc from "fast-check";

export const FANS = 24;

export type Step =
  | { readonly do: "join" | "release" | "leave" | "byHand"; readonly fan: number }
  | { readonly do: "turn"; readonly fan: number; readonly hidden: boolean }
  | { readonly do: "turns"; readonly from: number }
  | { readonly do: "extend"; readonly fan: number; readonly ms: number }
  | { readonly do: "tick"; readonly ms: number; readonly advance: number }
  | { readonly do: "quiet"; readonly ticks: number }
  | { readonly do: "rush"; readonly ticks: number }
  | { readonly do: "sleep"; readonly ms: number }
  | { readonly do: "leaveInside"; readonly nth: number }
  | { readonly do: "arrivals"; readonly from: number }
  | { readonly do: "lostTick"; readonly ms: number; readonly advance: number }
  | {
      readonly do:
        | "oldTick"
        | "oldSettings"
        | "pause"
        | "resume"
        | "stop"
        | "hold"
        | "snapshot"
        | "newRoom";
    }
  | { readonly do: "wipe" | "rollback" }
  | { readonly do: "rate"; readonly rate: number }
  | { readonly do: "active"; readonly active: number };

const fan = fc.nat(FANS - 1);
export const stepArb: fc.Arbitrary<Step> = fc.oneof(
  { weight: 14, arbitrary: fc.record({ do: fc.constant("join" as const), fan }) },
  {
    weight: 20,
    arbitrary: fc.record({ do: fc.constant("turn" as const), fan, hidden: fc.boolean() }),
  },
  { weight: 16, arbitrary: fc.record({ do: fc.constant("turns" as const), from: fan }) },
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant("tick" as const),
      ms: fc.integer({ min: 0, max: 4_000 }),
      advance: fc.nat(12),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("tick" as const),
      ms: fc.integer({ min: 5_000, max: 90_000 }),
      advance: fc.nat(12),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("quiet" as const),
      ticks: fc.integer({ min: 4, max: 40 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("rush" as const),
      ticks: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("sleep" as const),
      ms: fc.integer({ min: 100, max: 9_000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("leaveInside" as const), nth: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("arrivals" as const), from: fan }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("lostTick" as const),
      ms: fc.integer({ min: 0, max: 4_000 }),
      advance: fc.nat(12),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("release" as const, "leave" as const, "byHand" as const),
      fan,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("extend" as const),
      fan,
      ms: fc.integer({ min: -60_000, max: 120_000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "oldTick" as const,
        "oldSettings" as const,
        "pause" as const,
        "hold" as const,
        "newRoom" as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("resume" as const, "snapshot" as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("wipe" as const, "rollback" as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stop" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("rate" as const),
      rate: fc.constantFrom(1, 4, 6, 30, 120, 600),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("active" as const),
      active: fc.constantFrom(1, 2, 5, 20),
    }),
  },
);
