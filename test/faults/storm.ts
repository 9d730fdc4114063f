// One run: a crowd, faults one after the other in a seeded order, then quiet, then the checker.
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Broken, findBroken } from "../invariants/check.ts";
import { History } from "../invariants/history.ts";
import { readLine } from "../invariants/line-facts.ts";
import { FAULTS, type Fault } from "./catalogue.ts";
import { createDice } from "./dice.ts";
import { Load, type Tier } from "./load.ts";
import { beBuyer, beFan, importGateKeys, type Waiting } from "./people.ts";
import { ROLLING } from "./rolling.ts";
import { createSale, EVENT, pauseAndResume, RULES, watchStatus } from "./sale.ts";
import { playPatience, readWitnesses, sellsWhatIsFree, untilQuiet } from "./settle.ts";
import { startTown, type Town, type TownOptions } from "./town.ts";

export type FaultRecord = {
  readonly name: string;
  readonly atMs: number;
  readonly lastedMs: number;
  readonly hits: number;
  /** From the end of the fault to the first good answer of a call begun after it. */
  readonly recoveredMs: Readonly<Partial<Record<Tier, number>>>;
  /** The longest time without a good answer, from the fault's beginning on. */
  readonly stoodStillMs: Readonly<Partial<Record<Tier, number>>>;
};

export type StormReport = {
  readonly seed: number;
  readonly loadMs: number;
  readonly settleMs: number;
  readonly operations: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly faults: readonly FaultRecord[];
  readonly broken: readonly Broken[];
  readonly unquiet: readonly string[];
  readonly paid: number;
  readonly admitted: number;
};

export type StormOptions = {
  readonly seed: number;
  /** Faults by name, each at least once, in an order of the seed's. */
  readonly faults: readonly string[];
  /** Goes on with faults of the list for at least so long. */
  readonly loadMs: number;
  readonly buyersAtOnce: number;
  readonly fansAtOnce: number;
  readonly say?: (line: string) => void;
  readonly town?: TownOptions;
  /** Alters the town before anybody comes: how a planted bug gets in. */
  readonly plant?: (town: Town) => Promise<void>;
};

const HIT_PATIENCE_MS = 15_000;
const BETWEEN_MS = 350;
const RECOVERY_MS_MAX = 60_000;

export async function runStorm(options: StormOptions): Promise<StormReport> {
  const { seed, say = () => undefined } = options;
  const dice = createDice(seed);
  const town = await startTown(createDice(seed + 1).next, options.town);
  try {
    await options.plant?.(town);
    const load = new Load(town, new History(), dice);
    await createSale(load);
    return await storm(load, { ...options, say });
  } finally {
    await town.stop();
  }
}

type Running = StormOptions & { readonly say: (line: string) => void };

async function storm(load: Load, options: Running): Promise<StormReport> {
  const { town, history } = load;
  const startedAt = Date.now();
  const waiting: Waiting[] = [];
  const crowd = startCrowd(load, options, waiting);
  const acts = pauseAndResume(load);
  const watch = watchStatus(load);
  await load.pause(1_500);
  const faults = await injectAll(load, options);
  const loadMs = Date.now() - startedAt;
  load.stopping.abort();
  await Promise.all([crowd, acts, watch]);

  options.say("the crowd is gone; waiting until everything is quiet");
  const quietAt = Date.now();
  await lastLooks(waiting);
  const unquiet = await untilQuiet(town);
  await playPatience(town);
  const broken = [...(await sellsWhatIsFree(load))];
  unquiet.push(...(await untilQuiet(town)));
  const { broken: found, admitted } = await judge(load);
  broken.push(...found);
  const dump = process.env["FAULTS_DUMP"];
  if (dump !== undefined) writeFileSync(dump, JSON.stringify(history.notes));
  const [paid] = await town.db.read<{ n: number }>(
    "select count(*)::int as n from orders where paid_at is not null",
  );
  return {
    seed: options.seed,
    loadMs,
    settleMs: Date.now() - quietAt,
    operations: load.operations,
    counts: history.counts(),
    faults,
    broken,
    unquiet,
    paid: paid?.n ?? 0,
    admitted,
  };
}

/** The checker, over what all witnesses say. */
async function judge(load: Load): Promise<{ broken: Broken[]; admitted: number }> {
  const { town, history } = load;
  const { charges, mails, epoch, seconds } = await readWitnesses(load);
  const facts = await readLine({ url: town.lineUrl, event: EVENT, epoch });
  const broken = await findBroken({
    db: town.db,
    events: [EVENT],
    charges,
    mails,
    line: { facts, rules: RULES, seconds },
    notes: history.notes,
  });
  const admitted = [...facts.slots.values()].filter(({ claimedAt }) => claimedAt > 0).length;
  return { broken, admitted };
}

/** Whoever has bought or given up is followed by the next, until the load stops. */
export async function startCrowd(
  load: Load,
  options: Pick<StormOptions, "buyersAtOnce" | "fansAtOnce">,
  waiting: Waiting[],
): Promise<void> {
  const keys = await importGateKeys(load);
  let n = 0;
  const one = async (kind: "fan" | "buyer"): Promise<void> => {
    while (!load.stopped) {
      n += 1;
      if (kind === "fan") await beFan(load, { event: EVENT, n, waiting });
      else await beBuyer(load, { event: EVENT, n, keys });
      await load.pause(50 + load.dice.below(400));
    }
  };
  await Promise.all([
    ...Array.from({ length: options.buyersAtOnce }, () => one("buyer")),
    ...Array.from({ length: options.fansAtOnce }, () => one("fan")),
  ]);
}

async function injectAll(load: Load, options: Running): Promise<FaultRecord[]> {
  const chosen = options.faults.map((name) => {
    const fault = [...FAULTS, ...ROLLING].find((one) => one.name === name);
    if (fault === undefined) throw new Error(`there is no fault "${name}"`);
    return fault;
  });
  const records: FaultRecord[] = [];
  const startedAt = Date.now();
  const shuffle = createDice(options.seed + 2);
  while (records.length === 0 || Date.now() - startedAt < options.loadMs) {
    for (const fault of shuffle.shuffle(chosen)) {
      const record = await inject(load, fault, startedAt);
      records.push(record);
      const { core = "–", gate = "–" } = record.recoveredMs;
      options.say(
        `${fault.name.padEnd(32)} hit ${String(record.hits).padStart(4)}, ` +
          `core back after ${core} ms, gate after ${gate} ms`,
      );
      if (records.length >= chosen.length && Date.now() - startedAt > options.loadMs) break;
      await sleep(BETWEEN_MS);
    }
  }
  return records;
}

async function inject(load: Load, fault: Fault, startedAt: number): Promise<FaultRecord> {
  const from = Date.now();
  await fault.begin(load);
  await sleep(fault.lastsMs);
  let hits = await fault.hits(load);
  while (hits === 0 && Date.now() - from < HIT_PATIENCE_MS) {
    await sleep(50);
    hits = await fault.hits(load);
  }
  await fault.end(load);
  const endedAt = Date.now();
  const recoveredMs: Partial<Record<Tier, number>> = {};
  const stoodStillMs: Partial<Record<Tier, number>> = {};
  for (const tier of ["core", "gate"] as const) {
    const back = await firstGood(load, tier, endedAt);
    if (back === undefined) continue;
    recoveredMs[tier] = back - endedAt;
    stoodStillMs[tier] = longestGap(load, tier, { from, to: back });
  }
  return {
    name: fault.name,
    atMs: from - startedAt,
    lastedMs: endedAt - from,
    hits,
    recoveredMs,
    stoodStillMs,
  };
}

/** The first good answer to a call that was begun after `since`; undefined: none within a minute. */
export async function firstGood(
  load: Load,
  tier: Tier,
  since: number,
): Promise<number | undefined> {
  while (Date.now() - since < RECOVERY_MS_MAX) {
    const found = load.successes[tier].find(({ startedAt }) => startedAt >= since);
    if (found !== undefined) return found.at;
    await sleep(20);
  }
  return undefined;
}

export function longestGap(load: Load, tier: Tier, span: { from: number; to: number }): number {
  const times = load.successes[tier]
    .map(({ at }) => at)
    .filter((at) => at >= span.from && at <= span.to);
  let longest = 0;
  let last = span.from;
  for (const at of [...times, span.to]) {
    longest = Math.max(longest, at - last);
    last = at;
  }
  return longest;
}

/** Everybody still in the line asks once more, until they are answered: nobody is forgotten. */
async function lastLooks(waiting: readonly Waiting[]): Promise<void> {
  const open = waiting.filter(({ done }) => !done).slice(-300);
  const deadline = Date.now() + RECOVERY_MS_MAX;
  for (let i = 0; i < open.length; i += 20) {
    await Promise.all(
      open.slice(i, i + 20).map(async ({ turn }) => {
        let answer = await turn();
        while (answer.outcome !== 200 && answer.outcome !== 410 && Date.now() < deadline) {
          await sleep(500);
          answer = await turn();
        }
      }),
    );
  }
}
