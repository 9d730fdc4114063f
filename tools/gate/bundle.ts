// Bundles a Worker into one module for bare workerd, the way `wrangler deploy` does for Cloudflare.
import { builtinModules } from "node:module";
import { build, type Plugin } from "esbuild";
import { ROOT_DIR } from "../services/root.ts";

const builtins = builtinModules.filter((name) => !name.startsWith("_")).join("|");
const BUILTIN = new RegExp(`^(node:)?(${builtins})$`);

// workerd knows Node's modules by their `node:` names only, and has no `require`: a CommonJS
// package's `require("net")` becomes an import.
const nodeBuiltins: Plugin = {
  name: "node-builtins",
  setup(builder) {
    builder.onResolve({ filter: BUILTIN }, ({ path, kind }) => {
      const name = path.startsWith("node:") ? path : `node:${path}`;
      if (kind === "require-call") return { path: name, namespace: "required-builtin" };
      return { path: name, external: true };
    });
    builder.onLoad({ filter: /.*/, namespace: "required-builtin" }, ({ path }) => ({
      contents: `import builtin from ${JSON.stringify(path)};\nmodule.exports = builtin;\n`,
      loader: "js",
    }));
  },
};

export async function bundleWorker(entry: string, outfile: string): Promise<void> {
  await build({
    absWorkingDir: ROOT_DIR,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    external: ["cloudflare:*"],
    loader: { ".lua": "text" },
    define: { "process.env.NODE_ENV": '"production"' },
    sourcemap: "linked",
    logLevel: "warning",
    plugins: [nodeBuiltins],
  });
}
