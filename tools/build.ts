// `npm run build`: the pages into edge/public, the Worker into dist/gate.js for bare workerd, and the
// verifier for other people's booking APIs into dist/admission.
// (`wrangler deploy` bundles the Worker itself and takes the pages from edge/public.)
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { bundleAdmission } from "./admission/bundle.ts";
import { bundleWorker } from "./gate/bundle.ts";
import { ROOT_DIR } from "./services/root.ts";

export async function buildPages(): Promise<void> {
  const configFile = join(ROOT_DIR, "vite.config.ts");
  if (!existsSync(configFile)) throw new Error(`${configFile} is missing: the pages need it`);
  await build({ configFile, logLevel: "error" });
}

if (import.meta.main) {
  const startedAt = performance.now();
  await buildPages();
  await bundleWorker("edge/worker.ts", join(ROOT_DIR, "dist/gate.js"));
  await bundleAdmission(join(ROOT_DIR, "dist/admission"));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Built edge/public, dist/gate.js and dist/admission in ${seconds} s.`);
}
