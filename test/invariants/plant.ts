// Plants a bug in a test's own copy of an SQL function or of a script: a piece of the product's text is
// replaced by another. A piece that is no longer there fails the test, so no bug is planted in vain.

import type { Db } from "../../core/db/db.ts";
import { readScriptTexts } from "../../edge/line/scripts-node.ts";
import type { ScriptName, ScriptTexts } from "../../edge/line/types.ts";

export type Piece = readonly [from: string | RegExp, to: string];

function replaceAll(text: string, pieces: readonly Piece[], where: string): string {
  let changed = text;
  for (const [from, to] of pieces) {
    const next = changed.replaceAll(from, () => to);
    if (next === changed) throw new Error(`${where} does not say ${String(from)} any more`);
    changed = next;
  }
  return changed;
}

export async function plantInSql(db: Db, fn: string, ...pieces: readonly Piece[]): Promise<void> {
  const [found] = await db.read<{ text: string }>(
    "select pg_get_functiondef(p.oid) as text from pg_proc p where p.proname = $1",
    [fn],
  );
  if (found === undefined) throw new Error(`there is no function ${fn}`);
  await db.write(replaceAll(found.text, pieces, fn));
}

export function plantInScript(name: ScriptName, ...pieces: readonly Piece[]): ScriptTexts {
  const texts = readScriptTexts();
  return { ...texts, [name]: replaceAll(texts[name], pieces, `${name}.lua`) };
}
