// Which fault is drilled for which page of `ops/runbook/`, and how long it is left alone before it is
// mended: long enough for its alarm to ring.

export type PageDrill = { readonly fault: string; readonly lastsMs?: number };

const ALARM_MS = 22_000;
const drill = (fault: string, lastsMs?: number): PageDrill => ({
  fault,
  ...(lastsMs === undefined ? {} : { lastsMs }),
});

export const PAGES: Readonly<Record<string, readonly PageDrill[]>> = {
  "core-killed": [drill("core: kill -9", 5_000)],
  "core-stands-still": [drill("core: SIGSTOP", 30_000)],
  "gate-killed": [drill("gate: kill -9", 5_000)],
  "gate-stands-still": [drill("gate: SIGSTOP", 20_000)],
  "gate-twice": [drill("gate: two of them")],
  "line-killed": [drill("redis-line: kill -9", ALARM_MS)],
  "line-wiped": [drill("redis-line: wiped")],
  "line-old-data": [drill("redis-line: restarted with old data")],
  "line-paused": [drill("redis-line: paused")],
  "line-full": [drill("redis-line: out of memory", 15_000)],
  "locks-killed": [drill("redis-locks: kill -9", ALARM_MS)],
  "postgres-killed": [drill("postgres: kill -9", 15_000)],
  "postgres-restart": [drill("postgres: restart"), drill("postgres: pg_terminate_backend")],
  "postgres-stands-still": [drill("postgres: SIGSTOP", 15_000)],
  "postgres-idle-transaction": [drill("postgres: idle in transaction", 12_000)],
  "postgres-pool-exhausted": [drill("postgres: pool exhausted", 12_000)],
  network: [
    drill("postgres: reset-after", 5_000),
    drill("postgres: black-hole", 10_000),
    drill("line: black-hole", 10_000),
    drill("postgres: slow", 8_000),
    drill("postgres: slices", 5_000),
  ],
  provider: [drill("provider: silent", 20_000)],
  webhooks: [
    drill("webhooks: off", 5_000),
    drill("webhooks: dup", 5_000),
    drill("webhooks: reorder", 5_000),
  ],
  clocks: [drill("clocks: the core 30 s ahead")],
  keys: [drill("keys: rotated")],
  "retry-storm": [drill("clients: retry without a pause")],
  hostile: [drill("clients: hostile tokens and bodies")],
};
