// `npm run sandbox`: a room that lets everybody in at the next tick, at a gate that runs, so that a
// shop can be built and tried without waiting.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openOrganizerSession } from "./demo/organizer.ts";

const ADDRESSES = ".sira/dev.json";
const RATE_PER_MINUTE = 60_000;
const ACTIVE_MAX = 100_000;

const USAGE = `npm run sandbox -- [--event sandbox] [--continue-to http://127.0.0.1:3000/enter] [--binding none]

Opens the room at the gate of npm run dev (${ADDRESSES}), or at --gate and --core with --key; it
admits everybody within a second. Run it again to change where it sends people.`;

const { values } = parseArgs({
  options: {
    event: { type: "string", default: "sandbox" },
    "continue-to": { type: "string" },
    binding: { type: "string", default: "dpop" },
    gate: { type: "string" },
    core: { type: "string" },
    key: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(USAGE);
else await openSandbox();

async function openSandbox(): Promise<void> {
  const dev = readDev();
  const edge = values.gate ?? dev?.edge;
  const core = values.core ?? dev?.core;
  const key = values.key ?? dev?.organizerKey;
  if (edge === undefined || core === undefined || key === undefined) {
    console.error(`${ADDRESSES} is missing: start npm run dev, or give --gate, --core and --key`);
    process.exitCode = 1;
    return;
  }
  const { event, binding } = values;
  const continueTo = values["continue-to"];
  const organizer = await openOrganizerSession({ edge, core }, key);
  const isKnown = (await organizer.findPhase(event)) !== undefined;
  await organizer.putRoom(event, {
    ...(isKnown ? {} : { opensAt: new Date().toISOString() }),
    ...{ early: "fifo", ratePerMinute: RATE_PER_MINUTE, activeMax: ACTIVE_MAX, binding },
    ...(continueTo === undefined
      ? {}
      : { continueTo, returnOrigins: [new URL(continueTo).origin] }),
    branding: { name: "Sandbox" },
  });
  console.log(
    `${edge}/e/${event} admits everybody and goes on to ${continueTo ?? `/shop/${event}`}`,
  );
}

function readDev(): { edge: string; core: string; organizerKey: string } | undefined {
  return existsSync(ADDRESSES) ? JSON.parse(readFileSync(ADDRESSES, "utf8")) : undefined;
}
