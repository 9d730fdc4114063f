import { Refusal } from "../../shared/errors.ts";

/**
 * Text that no database keeps as it came: half of a surrogate pair, which would be stored as another
 * character, and NUL, which is not stored at all. Looked for in everything a caller sends, whatever the
 * field, so that no verb has to.
 */
function faultIn(value: unknown, path: string): string | undefined {
  if (typeof value === "string")
    return value.isWellFormed() && !value.includes("\0") ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const at = path === "" ? name : `${path}.${name}`;
    const found = faultIn(name, at) ?? faultIn(member, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** 422 `invalid_request` naming the field; for what fits its schema already, and so is not deep. */
export function refuseBrokenText(value: unknown): void {
  const found = faultIn(value, "");
  if (found === undefined) return;
  const field = found.toWellFormed().replaceAll("\0", "\uFFFD").slice(0, 200);
  const message = "has half a character or NUL in it";
  throw new Refusal("invalid_request", {
    detail: `${field || "body"}: ${message}`,
    facts: { errors: [{ field, message }] },
  });
}
