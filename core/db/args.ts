import type { SqlArg } from "./db.ts";

/**
 * Arguments travel as text of unknown type (oid 705), so the server takes each one's type from the
 * statement, as psql does. The driver's own guesses (an array by its first element, an object not at
 * all) never come into it.
 */
export const UNKNOWN_OID = 705;

/** An element of an SQL array literal; quoted always, so no content can break out. */
function arrayElement(value: string | number | boolean | null): string {
  if (value === null) return "NULL";
  return `"${String(value).replace(/["\\]/g, (found) => `\\${found}`)}"`;
}

/** `null` stays SQL null. */
export function sqlText(value: SqlArg): string | null {
  if (value === null) return null;
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
      return String(value);
    case "boolean":
      return value ? "t" : "f";
    case "object":
      break;
  }
  if (value instanceof Date) return value.toISOString();
  if (isList(value)) return `{${value.map(arrayElement).join(",")}}`;
  return JSON.stringify(value);
}

const isList = (
  value: Exclude<SqlArg, null | Date> & object,
): value is readonly (string | number | boolean | null)[] => Array.isArray(value);
