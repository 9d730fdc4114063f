// The verifier as plain JavaScript, with all it needs inside, for projects that are not this one:
// Node does not strip types below node_modules.
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT_DIR } from "../services/root.ts";

const ENTRIES = ["verifier", "gate-calls", "hono", "express"] as const;

export async function bundleAdmission(outdir: string): Promise<void> {
  await build({
    entryPoints: ENTRIES.map((name) => join(ROOT_DIR, `shared/admission/${name}.ts`)),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    mainFields: ["module", "main"],
    conditions: ["import", "default"],
    logLevel: "error",
  });
}
