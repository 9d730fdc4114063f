// Given with `--import` to a core process by the fault tests: its database and its payment provider
// then stop at named steps and ask the test what happens now. The product has no such places of its
// own: the module that makes them takes the place of `core/deps.ts` while it is loaded.
import { registerHooks } from "node:module";

const refuse = (why: string): never => {
  console.error(`The fail points are for tests: ${why}.`);
  process.exit(1);
};

if (process.env["NODE_ENV"] !== "test") refuse("NODE_ENV is not test");
if (process.env["npm_lifecycle_event"] === "start") refuse("npm start serves people");

// The core looks for it too, and does not rely on the lines above.
Object.defineProperty(globalThis, Symbol.for("sira.fail-points"), { value: true });

const REAL = new URL("../../core/deps.ts", import.meta.url).href;
const STOPPING = new URL("stopping-deps.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === REAL && context.parentURL !== STOPPING
      ? { ...found, url: STOPPING }
      : found;
  },
});

// A test that fails or is ended leaves nobody behind.
process.once("disconnect", () => process.exit(1));
