import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { runSteps } from "./run.ts";
import { stepArb } from "./steps.ts";

describe("the line under random use", () => {
  let server: RunningRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  it("keeps numbers, order, rate, cap, finality and its figures, through losses of Redis", async () => {
    const runs = Number(process.env["LINE_RUNS"] ?? 40);
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
