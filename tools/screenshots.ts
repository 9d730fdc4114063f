// `npm run screenshots [-- --only phone-light,desk-dark] [-- --out DIR]`: a picture of every page in every
// state, part after part, each from a system of its own, and one page that shows them all side by side.
// It says where; exits 1 when a part could not be pictured. `screenshots/readme.ts` lays the README's out.
import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT_DIR } from "./services/root.ts";

const PARTS = ["queue", "shop", "people", "console"] as const;

const run = (part: string): Promise<number> =>
  new Promise((resolve) => {
    const program = join(ROOT_DIR, "tools/screenshots", `${part}.ts`);
    const child = spawn(process.execPath, [program, ...process.argv.slice(2)], {
      stdio: "inherit",
    });
    child.on("exit", (code) => resolve(code ?? 1));
  });

/** All pictures of a part in rows, one state a row. */
function sheetOf(out: string, part: string): string {
  const names = readdirSync(join(out, part)).filter((name) => name.endsWith(".png"));
  const pictures = names
    .sort()
    .map(
      (name) =>
        `<figure><img loading="lazy" src="${part}/${name}" alt=""><figcaption>${name}</figcaption></figure>`,
    );
  return `<h2>${part}: ${names.length}</h2><div>${pictures.join("")}</div>`;
}

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(ROOT_DIR, ".sira/screenshots") },
    only: { type: "string" },
  },
});
const failed: string[] = [];
for (const part of PARTS) if ((await run(part)) !== 0) failed.push(part);
const done = PARTS.filter((part) => !failed.includes(part));
const style =
  "div{display:flex;flex-wrap:wrap;gap:1rem;align-items:start}img{max-width:22rem}figure{margin:0}";
writeFileSync(
  join(values.out, "index.html"),
  `<!doctype html><meta charset="utf-8"><title>Pictures</title><style>${style}</style>${done
    .map((part) => sheetOf(values.out, part))
    .join("")}`,
);
console.log(`All pictures on one page: ${join(values.out, "index.html")}`);
if (failed.length > 0) console.error(`Not pictured: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
