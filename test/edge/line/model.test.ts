import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Ground, openGround, stepsOf } from "./ground.ts";
import { runSteps } from "./run.ts";
import { stepArb } from "./steps.ts";

describe("the line under random use", () => {
  let server: Ground;
  let redis: Ground["redis"];
  beforeAll(async () => {
    server = await openGround();
    redis = server.redis;
  });
  afterAll(async () => {
    await server.stop();
  });

  it("keeps numbers, order, rate, cap, finality and its figures, through losses of Redis", async () => {
    const runs = Number(process.env["LINE_RUNS"] ?? stepsOf(40));
    const seed = process.env["LINE_SEED"];
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepArb, { minLength: 20, maxLength: 80, size: "max" }),
        async (steps) => {
          await runSteps(redis, server.url, steps);
        },
      ),
      { numRuns: runs, ...(seed ? { seed: Number(seed) } : {}), endOnFailure: true },
    );
  });
});
