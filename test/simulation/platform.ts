// Lets Node load the gate's own Room and Door: what workerd gives them is put in its place, and the
// line's client is the one of this folder, whose time and faults are simulated. Import it first.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const OBJECT = `export class DurableObject {
  constructor(ctx, env) { this.ctx = ctx; this.env = env; }
}`;
const LINE_FILE = new URL("../../edge/line/line.ts", import.meta.url).href;
const SIMULATED_LINE = new URL("./line-under-fault.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "cloudflare:workers")
      return { url: `data:text/javascript,${encodeURIComponent(OBJECT)}`, shortCircuit: true };
    const found = next(specifier, context);
    const isObject = /\/edge\/(?:room|door)\//.test(context.parentURL ?? "");
    return isObject && found.url === LINE_FILE ? { ...found, url: SIMULATED_LINE } : found;
  },
  load(url, context, next) {
    if (!url.endsWith(".lua")) return next(url, context);
    const text = readFileSync(fileURLToPath(url), "utf8");
    return {
      format: "module",
      source: `export default ${JSON.stringify(text)};`,
      shortCircuit: true,
    };
  },
});
