import { parseArgs } from "node:util";
import { newId } from "../shared/ids.ts";
import { readDatabaseUrl } from "./config.ts";
import { createDb } from "./db/connect.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { createKey } from "./organizers/keys.ts";

/**
 * `npm run organizer:key -- --name NAME`: a new key of an owner of everything, for a house whose last
 * key was lost. It needs the database alone; whoever has that could do anything anyway. The act stands
 * in the audit log.
 */

const { values } = parseArgs({ options: { name: { type: "string", default: "" } } });
const name = values.name.trim();
if (name === "") {
  console.error('Say whose key it is: npm run organizer:key -- --name "box office"');
  process.exit(1);
}
const db = createDb({ url: readDatabaseUrl(), poolMax: 2, metrics: createMetrics() });
try {
  const { id, key } = await createKey(
    {
      db,
      ids: { newId },
      actor: { kind: "job", name: "organizer-key" },
      requestId: newId("req"),
    },
    { name, role: "owner", events: ["*"] },
  );
  console.log(`Key ${id} of "${name}", an owner of everything. It is shown this once:\n${key}`);
} finally {
  await db.close();
}
