// Which static file answers a path, and with which headers: the part of Cloudflare's static assets
// that our pages rely on. `_redirects` is asked first, then the files (`/x/` is `/x/index.html`,
// `/x` is `/x.html`), and `_headers` adds to what is served.

export interface Asset {
  readonly etag: string;
  readonly type: string;
}

export interface AssetManifest {
  /** By path from the root, such as `/queue/index.html`. */
  readonly files: Readonly<Record<string, Asset>>;
  readonly redirects: readonly RedirectRule[];
  readonly headers: readonly HeaderRule[];
}

export interface RedirectRule {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

export interface HeaderRule {
  readonly path: string;
  readonly set: readonly (readonly [name: string, value: string])[];
  readonly remove: readonly string[];
}

export type Verdict =
  | { readonly kind: "file"; readonly path: string; readonly asset: Asset }
  | { readonly kind: "redirect"; readonly to: string; readonly status: number }
  | { readonly kind: "none" };

const REWRITES_MAX = 2;

export function decideAsset(manifest: AssetManifest, pathname: string): Verdict {
  let path = pathname;
  for (let step = 0; step < REWRITES_MAX; step++) {
    const rule = manifest.redirects.find(({ from }) => matchPath(from, path) !== undefined);
    if (rule === undefined) break;
    const to = fillIn(rule.to, matchPath(rule.from, path) ?? {});
    if (rule.status !== 200) return { kind: "redirect", to, status: rule.status };
    path = to;
  }
  return findFile(manifest.files, path);
}

function findFile(files: AssetManifest["files"], path: string): Verdict {
  const file = (name: string): Verdict | undefined => {
    const asset = Object.hasOwn(files, name) ? files[name] : undefined;
    return asset === undefined ? undefined : { kind: "file", path: name, asset };
  };
  const exists = (name: string): boolean => Object.hasOwn(files, name);
  const redirect = (to: string): Verdict => ({ kind: "redirect", to, status: 307 });
  // The name of a page is its folder; the long forms lead to the short one.
  if (path.endsWith("/index.html") && exists(path)) return redirect(path.slice(0, -10));
  if (path.endsWith(".html") && exists(path)) return redirect(path.slice(0, -5));
  if (path.endsWith("/")) return file(`${path}index.html`) ?? { kind: "none" };
  const exact = file(path) ?? file(`${path}.html`);
  if (exact !== undefined) return exact;
  return exists(`${path}/index.html`) ? redirect(`${path}/`) : { kind: "none" };
}

/** Later rules add to earlier ones; a repeated name is joined by a comma, as Cloudflare does. */
export function decideHeaders(manifest: AssetManifest, pathname: string): Map<string, string> {
  const result = new Map<string, string>();
  for (const rule of manifest.headers) {
    const matched = matchPath(rule.path, pathname);
    if (matched === undefined) continue;
    for (const name of rule.remove) result.delete(name.toLowerCase());
    for (const [name, value] of rule.set) {
      const before = result.get(name.toLowerCase());
      const filled = fillIn(value, matched);
      result.set(name.toLowerCase(), before === undefined ? filled : `${before}, ${filled}`);
    }
  }
  return result;
}

export function parseRedirects(source: string): RedirectRule[] {
  return lines(source).map((line) => {
    const [from, to, status] = line.trim().split(/\s+/);
    if (from === undefined || to === undefined) throw new Error(`_redirects: "${line}"`);
    return { from, to, status: status === undefined ? 302 : Number(status) };
  });
}

export function parseHeaders(source: string): HeaderRule[] {
  const rules: { path: string; set: [string, string][]; remove: string[] }[] = [];
  for (const line of lines(source)) {
    const current = rules.at(-1);
    if (!/^\s/.test(line)) {
      rules.push({ path: line.trim(), set: [], remove: [] });
    } else if (current === undefined) {
      throw new Error(`_headers: a header before any path: "${line.trim()}"`);
    } else if (line.trim().startsWith("! ")) {
      current.remove.push(line.trim().slice(2));
    } else {
      const colon = line.indexOf(":");
      if (colon < 0) throw new Error(`_headers: neither a path nor a header: "${line.trim()}"`);
      current.set.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
    }
  }
  return rules;
}

function lines(source: string): string[] {
  return source.split(/\r?\n/).filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
}

/** `*` matches anything and is called `:splat`; `:name` matches one part of the path. */
function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace("*", "(?<splat>.*)")
    .replaceAll(/:([A-Za-z]\w*)/g, "(?<$1>[^/]+)");
  const match = new RegExp(`^${source}$`).exec(path);
  return match === null ? undefined : { ...match.groups };
}

function fillIn(template: string, values: Record<string, string>): string {
  return template.replaceAll(/:([A-Za-z]\w*)/g, (whole, name: string) => values[name] ?? whole);
}
