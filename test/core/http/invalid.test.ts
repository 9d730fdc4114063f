import { describe, expect, test } from "vitest";
import { invalidRequest } from "../../../core/http/invalid.ts";
import { holdRequestSchema } from "../../../shared/contract/holds.ts";

function faults(body: unknown): unknown {
  const parsed = holdRequestSchema.safeParse(body);
  if (parsed.success) throw new Error("this body is good");
  return invalidRequest(parsed.error).facts["errors"];
}

describe("a body that may have several shapes is judged by the nearest", () => {
  test.each([
    [{ seats: ["A-1-1"], colour: "red" }, "colour"],
    [{ seats: ["A-1-1"], addons: [{ id: "x", quantity: 1, price: 0 }] }, "addons.0.price"],
    [{ zone: "floor", quantity: 2, together: true }, "together"],
    [{ best: { quantity: 2, aisle: true } }, "best.aisle"],
  ])("%j names %s", (body, field) => {
    expect(faults(body)).toEqual([{ field, message: "unknown field" }]);
  });

  test("the same seat twice is named as such", () => {
    expect(faults({ seats: ["A-1-1", "A-1-1"] })).toEqual([
      { field: "seats", message: "the same seat twice" },
    ]);
  });

  test("what is no object at all is still one plain sentence", () => {
    expect(faults("seats")).toHaveLength(1);
  });

  test("a body of nothing but faults is told a bounded number of them", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 1]));
    expect(faults({ seats: ["A-1-1"], ...many })).toHaveLength(20);
  });
});
