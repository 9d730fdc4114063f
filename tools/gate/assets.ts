// Reads the built pages once at start, so that serving a file needs no look at the folder.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { type ForeignScripts, headersFile } from "../../edge/pages/delivery.ts";
import { type AssetManifest, parseHeaders, parseRedirects } from "./static-rules.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".map": "application/json; charset=utf-8",
};
const RULE_FILES = new Set(["/_headers", "/_redirects", "/.assetsignore"]);

/** The pages' headers name the core, whose origin is known only now: the built file is not read. */
export function readAssets(
  dir: string,
  coreOrigin: string,
  foreign: ForeignScripts = {},
): AssetManifest {
  const files: Record<string, { etag: string; type: string }> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(dir, file).split(sep).join("/")}`;
    if (RULE_FILES.has(path)) continue;
    const hash = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 32);
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    files[path] = { etag: `"${hash}"`, type };
  }
  const read = (name: string): string => {
    const file = join(dir, name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  return {
    files,
    redirects: parseRedirects(read("_redirects")),
    headers: parseHeaders(headersFile(coreOrigin, foreign)),
  };
}
