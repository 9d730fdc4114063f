// `npm run restore:drill`: after a restore, what was charged and refunded since the backup. It only
// reads; ops/postgresql.md says what to do with the list.
import { parseArgs } from "node:util";
import { readConfig } from "../core/config.ts";
import { migrate } from "../core/migrate.ts";
import { createPaymentProvider } from "../core/payments/create-provider.ts";
import type { SettlementLine } from "../core/payments/provider.ts";
import { drillRestore } from "./restore/drill.ts";

const USAGE = `npm run restore:drill -- --restored postgres://… [--migrate] [--json]

Compares a restored database with the provider's settlement of every day since its last entry, with
the core's environment for the provider's keys and RECONCILIATION_ZONE. Lists every charge and refund
that the restored books do not know. Exit code 1 when there is one.

--migrate   first bring the restored database to this tree's schema`;

const { values } = parseArgs({
  options: {
    restored: { type: "string" },
    migrate: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(USAGE);
else await run();

async function run(): Promise<void> {
  const databaseUrl = values.restored;
  if (databaseUrl === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  try {
    const config = readConfig(process.env);
    if (values.migrate) await migrate(databaseUrl);
    const drill = await drillRestore({
      databaseUrl,
      payments: createPaymentProvider(config),
      zone: config.reconciliationZone,
      now: Date.now(),
    });
    if (values.json) console.log(JSON.stringify(drill));
    else {
      console.log(
        `The restored books end at ${drill.lastKnownAt}; asked for ${drill.days.length} days.`,
      );
      list("Charged, and unknown to these books", drill.charges);
      list("Refunded, and unknown to these books", drill.refunds);
    }
    process.exitCode = drill.charges.length + drill.refunds.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}

function list(title: string, lines: readonly SettlementLine[]): void {
  console.log(`\n${title}: ${lines.length}`);
  for (const { at, order, ref, amount, currency } of lines)
    console.log(`  ${at}  ${order ?? "–"}  ${ref}  ${amount} ${currency} (minor units)`);
}
