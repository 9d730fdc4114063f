// Finds the paths that documents and comments cite, and tells which of them do not exist.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, type SourceFile } from "./sources.ts";

export interface Citation {
  readonly path: string;
  readonly line: number;
  readonly cited: string;
}

const PATH =
  /(?:^|[\s(`"'])((?:core|edge|shared|test|tools|migrations|bench)\/[\w./-]*\w)(?![\w*<{…])/g;
/** Written by a build or a run, or the pattern of a name. */
const MADE = /^(edge\/public|bench\/results\.json|migrations\/\d{4}_name)/;

export function findCitations(file: SourceFile): Citation[] {
  return file.lines.flatMap((line, index) => {
    const prose = proseOf(file.path, line);
    if (prose === undefined) return [];
    return [...prose.matchAll(PATH)].flatMap((match) => {
      const cited = match[1] ?? "";
      const isFine = MADE.test(cited) || exists(file, cited);
      return isFine ? [] : [{ path: file.path, line: index + 1, cited }];
    });
  });
}

/** The part of a line that a person reads: all of a document, the comment of a program. */
function proseOf(path: string, line: string): string | undefined {
  if (path.endsWith(".md")) return line;
  if (/\.tsx?$/.test(path)) return /(?:^|\s)(?:\/\/|\/?\*)\s(.*)$/.exec(line)?.[1];
  if (/\.(lua|sql)$/.test(path)) return /--\s(.*)$/.exec(line)?.[1];
  return undefined;
}

/** A folder's own documents and comments may leave its name out. */
function exists(file: SourceFile, cited: string): boolean {
  const top = file.path.split("/")[0] ?? "";
  return existsSync(join(ROOT, cited)) || existsSync(join(ROOT, top, cited));
}
