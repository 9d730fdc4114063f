import { afterAll, beforeAll, expect, test } from "vitest";
import { examineSystem } from "../../../tools/doctor/examine.ts";
import type { Targets } from "../../../tools/doctor/targets.ts";
import { createOpenEvent } from "../../support/events.ts";
import { type Sira, startSira } from "../../support/sira.ts";

let system: Sira;
let targets: Targets;
beforeAll(async () => {
  system = await startSira();
  const { services } = system;
  targets = {
    isProduction: false,
    gate: system.edge,
    core: system.core,
    databaseUrl: services.databaseUrl,
    redis: {
      line: services.redisUrl,
      locks: services.redisLocksUrl,
      cache: services.redisCacheUrl,
    },
    organizerKey: system.organizerKey,
    payments: { provider: "simulator", origin: system.psp, secret: "", webhookSecret: "" },
    smtpUrl: system.smtpUrl,
    connections: { poolMax: 4, processes: 1 },
  };
});
afterAll(() => system?.stop());

const badParts = async (changed: Partial<Targets>) =>
  (await examineSystem({ ...targets, ...changed }))
    .filter(({ level }) => level === "bad")
    .map(({ part }) => part);

test("a system that runs has nothing to mend, and everything was looked at", async () => {
  await createOpenEvent(system, { event: "healthy" });
  const findings = await examineSystem(targets);
  // The tests' throw-away database does not wait for its disk.
  const bad = findings.filter(
    ({ level, says }) => level === "bad" && !/fsync|full_page|synchronous/.test(says),
  );
  expect(bad).toEqual([]);
  const parts = new Set(findings.map(({ part }) => part));
  for (const part of [
    ...["database", "redis line", "redis locks", "redis cache", "gate", "core", "clocks"],
    ...["keys of the gate", "keys of the core", "gate → core", "core → gate", "sale healthy"],
    ...["provider", "mail"],
  ])
    expect(parts).toContain(part);
});

test("production with the simulator and the mailbox is told so", async () => {
  expect(await badParts({ isProduction: true })).toEqual(
    expect.arrayContaining(["provider", "mail"]),
  );
});

test("what is away or wrong is named, one by one", async () => {
  const nowhere = "127.0.0.1:9";
  expect(await badParts({ databaseUrl: `postgres://u:p@${nowhere}/x` })).toContain("database");
  expect(await badParts({ redis: { ...targets.redis, line: `redis://${nowhere}` } })).toContain(
    "redis line",
  );
  expect(await badParts({ gate: `http://${nowhere}` })).toEqual(
    expect.arrayContaining(["gate", "keys of the gate"]),
  );
  expect(await badParts({ smtpUrl: `smtp://${nowhere}` })).toContain("mail");
  expect(await badParts({ organizerKey: "sira_somebody-elses-key" })).toContain("organizer");
});
