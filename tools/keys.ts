// `npm run keys`: makes the key sets of a deployment, or moves them one step on (`--rotate`), and
// prints the secrets ready for `wrangler secret put` and for the core's environment.
import { parseArgs } from "node:util";
import { ensureKeys, readKeys, rotateKeys, writeKeys } from "./stack/keys.ts";

// A ticket's token lives until after the event; no other kind of token lives longer.
const KEEP_RETIRED_DAYS = 400;

const { values } = parseArgs({
  options: {
    file: { type: "string", default: ".sira/keys.json" },
    rotate: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(`npm run keys -- [--file .sira/keys.json] [--rotate]

Makes ES256 key sets and secrets if the file does not exist yet, and prints them.
--rotate   publish a next key for each use; run again after 10 minutes (everybody has
           fetched it by then) and it signs, while the old one goes on verifying`);
  process.exit(0);
}

const existed = readKeys(values.file) !== undefined;
let keys = await ensureKeys(values.file);
if (values.rotate && existed) {
  const keepMs = KEEP_RETIRED_DAYS * 86_400_000;
  const now = new Date();
  keys = {
    ...keys,
    gateKeys: await rotateKeys(keys.gateKeys, now, keepMs),
    coreKeys: await rotateKeys(keys.coreKeys, now, keepMs),
  };
  writeKeys(values.file, keys);
}
const what = !existed ? "made" : values.rotate ? "rotated" : "unchanged";
console.log(`# ${values.file}: ${what}. Keep these secret.
# The gate (wrangler secret put NAME, then paste the value):
GATE_KEYS='${JSON.stringify(keys.gateKeys)}'
ROOM_SECRET='${keys.roomSecret}'
# VAPID, for Web Push; a new one ends every subscription, so it is never rotated during a sale:
PUSH_KEY='${JSON.stringify(keys.pushKey)}'

# The core (its environment):
CORE_KEYS='${JSON.stringify(keys.coreKeys)}'
CORE_SECRET='${keys.coreSecret}'
ORGANIZER_KEY='${keys.organizerKey}'

# Keys by use:`);
for (const entry of [...keys.gateKeys, ...keys.coreKeys]) {
  console.log(`#   ${entry.use.padEnd(10)} ${entry.state.padEnd(8)} ${entry.kid}`);
}
