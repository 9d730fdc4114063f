/**
 * Which requests of a proxied site need an admission. Pure. Servers read a path in different ways, so
 * a path is looked at in every way that one might: whichever of them is protected protects it, and an
 * exception holds only if it holds for all of them.
 */
const DECODINGS_MAX = 3;

/** `/shop/*` is that folder and all below it; a pattern without `*` is the one path. */
export function matchesPattern(pattern: string, path: string): boolean {
  const wanted = pattern.toLowerCase();
  if (!wanted.endsWith("*")) return path === wanted || path === `${wanted}/`;
  const prefix = wanted.slice(0, -1);
  return path.startsWith(prefix) || `${path}/` === prefix;
}

/** The readings of one path, all in lower case. */
export function readingsOf(pathname: string): string[] {
  const readings = new Set<string>();
  let path = pathname;
  for (let round = 0; round <= DECODINGS_MAX; round += 1) {
    readings.add(path.toLowerCase());
    readings.add(tidy(path).toLowerCase());
    readings.add(tidy(path.replace(/;[^/]*/g, "")).toLowerCase());
    const next = decode(path);
    if (next === path) break;
    path = next;
  }
  return [...readings];
}

export function isProtected(
  rules: { include: readonly string[]; exclude: readonly string[] },
  pathname: string,
): boolean {
  const readings = readingsOf(pathname);
  const include = rules.include.length === 0 ? ["/*"] : rules.include;
  const inside = readings.some((path) => include.some((pattern) => matchesPattern(pattern, path)));
  if (!inside) return false;
  return !readings.every((path) => rules.exclude.some((pattern) => matchesPattern(pattern, path)));
}

/** What a lenient server makes of it: backslashes, doubled slashes, dots, blanks and null bytes. */
function tidy(path: string): string {
  const parts: string[] = [];
  const clean = [...path].filter((char) => char > " " && char !== "\u007f").join("");
  for (const part of clean.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part.replace(/[. ]+$/, "") || part);
  }
  const end = /[\\/]$/.test(clean) && parts.length > 0 ? "/" : "";
  return `/${parts.join("/")}${end}`;
}

/** One decoding, leniently: what is no encoding stays as it is. */
function decode(path: string): string {
  return path
    .replace(/%u([0-9a-fA-F]{4})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
      }
    })
    .normalize("NFKC");
}
