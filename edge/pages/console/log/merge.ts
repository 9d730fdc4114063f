import type { AuditLine } from "../calls/house.ts";
import type { LogEntry } from "../calls/room.ts";

/** The gate's log and the core's as one, the newest first. Pure. */

export type Line = {
  key: string;
  at: string;
  from: "room" | "core";
  actor: string;
  action: string;
  reason: string;
  change: string;
};

const VALUE_CHARS_MAX = 300;

const cut = (text: string): string =>
  text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const write = (value: unknown): string =>
  value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);

/** Name and value, field by field. */
const fieldsOf = (value: unknown): string =>
  isRecord(value)
    ? Object.entries(value)
        .map(([name, field]) => `${name} ${write(field)}`)
        .join(" · ")
    : value === null || value === undefined
      ? ""
      : write(value);

/** What became of each field that is another now. */
function changeOf({ before, after }: LogEntry): string {
  if (!isRecord(before) || !isRecord(after)) return cut(fieldsOf(after ?? before));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => write(before[name]) !== write(after[name]));
  return cut(
    changed.map((name) => `${name} ${write(before[name])} → ${write(after[name])}`).join(" · "),
  );
}

export function mergeLogs(room: readonly LogEntry[], core: readonly AuditLine[]): Line[] {
  const lines: Line[] = [
    ...room.map((entry) => ({
      key: `room ${entry.id}`,
      at: entry.at,
      from: "room" as const,
      // The issuer is the same for everybody of one deployment.
      actor: entry.actor.replace(/^https?:\/\/[^|]*\|/, ""),
      action: entry.action,
      reason: entry.reason ?? "",
      change: changeOf(entry),
    })),
    ...core.map(({ seq, at, actor, action, target, details }) => {
      const { reason, ...rest } = details;
      return {
        key: `core ${seq}`,
        at,
        from: "core" as const,
        actor: actor.replace(/^organizer:/, ""),
        action,
        reason: typeof reason === "string" ? reason : "",
        change: cut([target ?? "", fieldsOf(rest)].filter(Boolean).join(" · ")),
      };
    }),
  ];
  return lines.sort((a, b) => (a.at < b.at ? 1 : -1));
}
