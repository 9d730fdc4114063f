import { describe, expect, test } from "vitest";
import { afterEnd } from "../../../core/supervisor/decide.ts";

const died = { code: 1, everListened: true, stopping: false };

describe("after a worker's end", () => {
  test("another is started at once the first time, and ever later while they keep ending", () => {
    const pauses = [1, 2, 3, 4, 8, 20].map((count) => {
      const verdict = afterEnd(
        died,
        Array.from({ length: count }, () => 1_000),
        1_000,
      );
      return verdict.do === "start" ? verdict.afterMs : undefined;
    });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 15_000, 15_000]);
  });

  test("ends of long ago count no longer", () => {
    expect(afterEnd(died, [0, 0, 0, 0, 200_000], 200_000)).toEqual({ do: "start", afterMs: 500 });
  });

  test("nobody is started in a stop, nor when no worker ever came up", () => {
    expect(afterEnd({ ...died, stopping: true }, [], 0)).toEqual({ do: "nothing" });
    expect(afterEnd({ ...died, everListened: false }, [], 0)).toEqual({ do: "give_up" });
  });
});
