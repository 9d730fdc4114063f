#!/usr/bin/env node
// `npx sira`: the client itself is TypeScript, which Node runs from 22.18 on; an older Node starts the
// one that npm has installed here.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
if (process.features.typescript) {
  const { run } = await import(main);
  await run(process.argv.slice(2));
} else {
  const own = join(
    dirname(createRequire(import.meta.url).resolve("node/package.json")),
    "bin/node",
  );
  const { status } = spawnSync(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}
