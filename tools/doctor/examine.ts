// All checks of a system, in the order in which a person would look.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT_DIR } from "../services/root.ts";
import { askDate, askStatus, type ClockReading, judgeClocks, readClock } from "./clocks.ts";
import { judgeDatabase, readDatabase } from "./database.ts";
import { examine, type Finding, look } from "./finding.ts";
import { CORE_SIDE, GATE_SIDE, judgeKeys, type KeySide, readPublished } from "./keys.ts";
import { checkMail, checkProvider } from "./outside.ts";
import { checkCoreToGate, checkGateToCore, checkReady } from "./reach.ts";
import { judgeRedis, type RedisRole, readRedis } from "./redis.ts";
import { judgeSale, readSales, type SaleFacts } from "./sales.ts";
import type { Targets } from "./targets.ts";

const SESSION_MS = 5_000;

export async function examineSystem(targets: Targets, now = Date.now()): Promise<Finding[]> {
  const clocks: ClockReading[] = [{ name: "this machine", offsetMs: 0 }];
  const found: Finding[] = [];
  const add = async (part: string, remedy: string, check: () => Promise<readonly Finding[]>) => {
    found.push(...(await examine(part, remedy, check)));
  };

  await add("database", "is DATABASE_URL right, and does the server listen?", async () => {
    const before = Date.now();
    const facts = await readDatabase(targets.databaseUrl, migrationFiles(), targets.connections);
    // Read at the end of the visit, more or less: good enough for seconds.
    clocks.push({ name: "database", offsetMs: facts.nowMs - (before + Date.now()) / 2 });
    return judgeDatabase(facts);
  });
  for (const role of ["line", "locks", "cache"] as const) await addRedis(role);
  await add("gate", "is EDGE_ORIGIN right, and does the gate run?", () =>
    checkReady("gate", targets.gate),
  );
  await add("core", "is CORE_ORIGIN right, and does the core run?", () =>
    checkReady("core", targets.core),
  );
  await add("clock of the core", "it must be reachable", async () => {
    clocks.push(await readClock("core", () => askDate(`${targets.core}/healthz`)));
    return [];
  });
  await addKeys(GATE_SIDE, targets.gate);
  await addKeys(CORE_SIDE, targets.core);
  await addSales();
  found.push(...judgeClocks(clocks));
  await add("provider", "are its keys right, and does it answer?", () =>
    checkProvider(targets.payments, targets.isProduction),
  );
  await add("mail", "is SMTP_URL right, with user and password?", () =>
    checkMail(targets.smtpUrl, targets.isProduction),
  );
  return found;

  async function addRedis(role: RedisRole): Promise<void> {
    const url = targets.redis[role];
    if (url === undefined) {
      const remedy = "REDIS_URL in the core's environment lets it be watched";
      found.push(look(`redis ${role}`, "its address is not known here", remedy));
      return;
    }
    await add(`redis ${role}`, "is its address right, with user and password?", async () => {
      const facts = await readRedis(role, url);
      clocks.push({ name: `redis ${role}`, offsetMs: facts.nowMs - Date.now() });
      return judgeRedis(facts);
    });
  }

  async function addKeys(side: KeySide, origin: string): Promise<void> {
    await add(`keys of the ${side.side}`, "its JWKS must be reachable", async () =>
      judgeKeys(side, await readPublished(origin), now),
    );
  }

  async function addSales(): Promise<void> {
    await add("organizer", "ORGANIZER_KEY must be one that the core knows", async () => {
      const token = await signIn(targets);
      const sales = await readSales(targets, token);
      const event = sales[0]?.event ?? "doctor";
      const withRoom = sales.find(({ room }) => room !== undefined)?.event;
      if (withRoom !== undefined)
        clocks.push(await readClock("gate", () => askStatus(targets.gate, withRoom)));
      return [
        ...(await checkGateToCore(targets.gate, token, event)),
        ...(await checkCoreToGate(targets.core, event)),
        ...sales.flatMap((sale: SaleFacts) => judgeSale(sale, now)),
      ];
    });
  }
}

async function signIn({ core, organizerKey }: Targets): Promise<string> {
  const response = await fetch(`${core}/v1/organizer/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: organizerKey }),
    signal: AbortSignal.timeout(SESSION_MS),
  });
  if (!response.ok) throw new Error(`the core answered ${response.status} to the organizer key`);
  const { token }: { token: string } = await response.json();
  return token;
}

function migrationFiles(): string[] {
  return readdirSync(join(ROOT_DIR, "migrations")).filter((name) => /^\d{4}_.*\.sql$/.test(name));
}
