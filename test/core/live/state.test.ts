import { describe, expect, test } from "vitest";
import { createState, OVERLAP_MS, seatLetters } from "../../../core/live/state.ts";

describe("what a process knows", () => {
  const row = (version: number, map: string) => ({ section_id: "A", row_id: "1", map, version });

  test("free seats of any kind are one letter, and places without a seat are none", () => {
    expect(seatLetters("fac.hsb")).toBe("aaahsb");
  });

  test("a lower version that becomes visible late is not missed", () => {
    const state = createState("e");
    state.load({ rows: [row(10, "ffff")], zones: [] }, 0);
    expect(state.advance({ rows: [row(30, "hfff")], zones: [] }, 1_000)?.version).toBe(30);
    // Version 20 was taken earlier and committed later: the next read must still ask for it.
    expect(state.readAbove(2_000)).toBeLessThan(20);
    // Long after, only what is newer is asked for.
    expect(state.readAbove(1_000 + OVERLAP_MS)).toBe(30);
  });

  test("what is read again and is the same is told to nobody", () => {
    const state = createState("e");
    state.load({ rows: [row(10, "ffff")], zones: [] }, 0);
    expect(state.advance({ rows: [row(11, "ffff")], zones: [] }, 1)).toBeUndefined();
  });
});
