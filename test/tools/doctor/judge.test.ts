import { describe, expect, test } from "vitest";
import { roomSettingsSchema } from "../../../shared/contract/rooms.ts";
import { judgeClocks } from "../../../tools/doctor/clocks.ts";
import { type DatabaseFacts, judgeDatabase } from "../../../tools/doctor/database.ts";
import { examine, type Finding } from "../../../tools/doctor/finding.ts";
import { GATE_SIDE, judgeKeys } from "../../../tools/doctor/keys.ts";
import { judgeRedis, type RedisFacts } from "../../../tools/doctor/redis.ts";
import { judgeSale, type SaleFacts } from "../../../tools/doctor/sales.ts";

// Each finding is caused by one wrong fact among right ones.
const levels = (findings: readonly Finding[]) => findings.map(({ level }) => level);
const worst = (findings: readonly Finding[]) =>
  findings.find(({ level }) => level === "bad") ?? findings.find(({ level }) => level === "look");

describe("the database", () => {
  const right: DatabaseFacts = {
    version: 18,
    settings: {
      fsync: "on",
      full_page_writes: "on",
      synchronous_commit: "on",
      synchronous_standby_names: "one",
      archive_mode: "on",
      max_connections: "100",
      default_transaction_isolation: "read committed",
      default_transaction_read_only: "off",
    },
    isReplica: false,
    migrated: ["0001_schema.sql"],
    expected: ["0001_schema.sql"],
    connectionsWanted: 74,
    nowMs: 0,
  };
  const with_ = (settings: Record<string, string>) => ({
    ...right,
    settings: { ...right.settings, ...settings },
  });

  test("as it should be is one good finding", () => {
    expect(levels(judgeDatabase(right))).toEqual(["good"]);
  });

  test.each([
    ["an old version", { ...right, version: 15 }, "PostgreSQL 15"],
    ["a replica", { ...right, isReplica: true }, "only reads"],
    ["a read-only default", with_({ default_transaction_read_only: "on" }), "only reads"],
    ["fsync off", with_({ fsync: "off" }), "fsync"],
    ["torn pages", with_({ full_page_writes: "off" }), "full_page_writes"],
    ["commits that may be lost", with_({ synchronous_commit: "off" }), "synchronous_commit"],
    ["another isolation", with_({ default_transaction_isolation: "serializable" }), "isolation"],
    ["too few connections", with_({ max_connections: "50" }), "max_connections is 50"],
    ["a schema behind", { ...right, expected: ["0001_schema.sql", "0002_x.sql"] }, "0002_x.sql"],
  ])("with %s is bad, and it is said how to mend it", (_name, facts, says) => {
    const finding = worst(judgeDatabase(facts));
    expect(finding).toMatchObject({ level: "bad", says: expect.stringContaining(says) });
    expect(finding?.remedy).toBeTruthy();
  });

  test.each([
    ["no standby", with_({ synchronous_standby_names: "" })],
    ["no archive", with_({ archive_mode: "off" })],
  ])("with %s is to be looked at", (_name, facts) => {
    expect(levels(judgeDatabase(facts))).toEqual(["good", "look"]);
  });
});

describe("a Redis", () => {
  const right: RedisFacts = {
    role: "line",
    version: 7,
    policy: "noeviction",
    aof: true,
    isReplica: false,
    replicas: 1,
    usedBytes: 1,
    maxBytes: 0,
    nowMs: 0,
  };

  test("as it should be is one good finding, in each role", () => {
    expect(levels(judgeRedis(right))).toEqual(["good"]);
    expect(levels(judgeRedis({ ...right, role: "locks", aof: false }))).toEqual(["good"]);
    expect(levels(judgeRedis({ ...right, role: "cache", policy: "allkeys-lru" }))).toEqual([
      "good",
    ]);
  });

  test.each<[string, Partial<RedisFacts>]>([
    ["too old", { version: 5 }],
    ["a replica", { isReplica: true }],
    ["evicting the line", { policy: "allkeys-lru" }],
    ["evicting locks", { role: "locks", policy: "volatile-ttl" }],
  ])("that is %s is bad", (_name, change) => {
    expect(worst(judgeRedis({ ...right, ...change }))?.level).toBe("bad");
  });

  test.each<[string, Partial<RedisFacts>]>([
    ["without an append-only file", { aof: false }],
    ["nearly full", { maxBytes: 100, usedBytes: 80 }],
    ["a cache that would refuse writes", { role: "cache", maxBytes: 100 }],
  ])("%s is to be looked at", (_name, change) => {
    expect(worst(judgeRedis({ ...right, ...change }))?.level).toBe("look");
  });
});

test("clocks are judged by the two that differ most", () => {
  const at = (...offsets: number[]) =>
    judgeClocks(offsets.map((offsetMs, index) => ({ name: `c${index}`, offsetMs })));
  expect(levels(at(0, 900, -900))).toEqual(["good"]);
  expect(levels(at(0, 3_000))).toEqual(["look"]);
  expect(at(0, -8_000, 8_000)[0]).toMatchObject({ level: "bad", says: "c2 is 16.0 s ahead of c1" });
});

test("keys: none for a use is bad, none made for half a year is to be looked at", () => {
  const now = Date.parse("2026-12-01T00:00:00Z");
  const made = (day: string) => GATE_SIDE.uses.map((use) => ({ use, kid: `${use}-${day}-1` }));
  expect(levels(judgeKeys(GATE_SIDE, made("2026-11-01"), now))).toEqual(["good"]);
  expect(levels(judgeKeys(GATE_SIDE, made("2026-01-01"), now))).toEqual(["look", "look", "look"]);
  const rotated = [...made("2026-01-01"), ...made("2026-11-30")];
  expect(levels(judgeKeys(GATE_SIDE, rotated, now))).toEqual(["good"]);
  const [first] = made("2026-11-01");
  if (first === undefined) throw new Error("there are uses");
  expect(levels(judgeKeys(GATE_SIDE, [first], now))).toEqual(["bad"]);
});

describe("a sale", () => {
  const now = Date.parse("2026-12-01T00:00:00Z");
  const room = {
    ...roomSettingsSchema.parse({
      opensAt: "2026-12-10T08:00:00Z",
      beacon: { kind: "drand", url: "https://api.drand.sh" },
    }),
    phase: "upcoming",
  };
  const right: SaleFacts = {
    event: "gala",
    startsAt: "2027-01-01T19:00:00Z",
    saleOpensAt: "2026-12-10T08:00:00Z",
    holdMs: 600_000,
    room,
  };

  test("whose room opens with it is good", () => {
    expect(levels(judgeSale(right, now))).toEqual(["good"]);
  });

  test("that opens after its room is bad", () => {
    const late = { ...right, saleOpensAt: "2026-12-10T08:00:01Z" };
    expect(levels(judgeSale(late, now))).toEqual(["bad"]);
  });

  test("that closes before its room opens is bad", () => {
    expect(levels(judgeSale({ ...right, saleClosesAt: "2026-12-09T08:00:00Z" }, now))).toEqual([
      "bad",
    ]);
  });

  test.each<[string, SaleFacts]>([
    ["has no room", { ...right, room: undefined }],
    ["has a shorter admission than its hold", { ...right, holdMs: 900_000 }],
    ["has unbound places", { ...right, room: { ...room, binding: "none" } }],
    ["has a draw without a beacon", { ...right, room: { ...room, beacon: { kind: "none" } } }],
  ])("that %s is to be looked at", (_name, facts) => {
    expect(worst(judgeSale(facts, now))?.level).toBe("look");
  });

  test("that is over is of no interest", () => {
    expect(judgeSale({ ...right, startsAt: "2026-11-01T19:00:00Z", room: undefined }, now)).toEqual(
      [],
    );
  });
});

test("what cannot be asked is a finding, without the password of its address", async () => {
  const findings = await examine("database", "look at it", async () => {
    throw new Error("connect to postgres://sira:secret@db:5432 failed");
  });
  expect(findings).toMatchObject([{ level: "bad", says: expect.not.stringContaining("secret") }]);
});
