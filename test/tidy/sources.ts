// Reads the repository's own text for the tidy rules: what git tracks or would track, nothing else.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface SourceFile {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

const TEXT =
  /\.(ts|tsx|lua|sql|md|html|css|json|toml|yml|yaml)$|^\.ci\/run$|(^|\/)_(headers|redirects)$/;

export function readSources(): SourceFile[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const listed = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`);
  return listed.stdout
    .split("\0")
    .filter((path) => TEXT.test(path) && path !== "package-lock.json")
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      return { path, text, lines: text.replace(/\n$/, "").split("\n") };
    });
}

export interface Import {
  readonly line: number;
  /** A path from the root for our own files, the bare name for a package. */
  readonly target: string;
  readonly isOurs: boolean;
}

const IMPORT =
  /(?:^|\s)(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']|(?:^|[^.\w])import\s*\(?\s*["']([^"']+)["']/g;

export function readImports(file: SourceFile): Import[] {
  return [...file.text.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? match[2] ?? "";
    const line = file.text.slice(0, match.index + match[0].length).split("\n").length;
    const isOurs = name.startsWith(".");
    const bare = name.replace(/\?.*$/, "");
    const target = isOurs ? normalize(join(dirname(file.path), bare)) : bare;
    return { line, target, isOurs };
  });
}

/** Every match of `pattern` as `path:line: text`. */
export function findLines(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
    ),
  );
}

export const isIn =
  (...folders: string[]) =>
  (file: SourceFile): boolean =>
    folders.some((folder) => file.path.startsWith(`${folder}/`));

export const isTypeScript = (file: SourceFile): boolean => /\.tsx?$/.test(file.path);

/** A broken rule is reported with every place and what to do about it. */
export function report(found: readonly string[], remedy: string): string {
  return `${remedy}\n  ${found.join("\n  ")}\n`;
}
