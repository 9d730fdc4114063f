// How a command answers: a few lines for people, or JSON for programs. One way for all of them.
import { writeFileSync } from "node:fs";

export interface Output {
  readonly json: boolean;
  say(text: string): void;
  /** For people `lines`, for programs the value itself. */
  show(value: unknown, lines: readonly string[]): void;
  /** To a file, or to standard output. */
  write(text: string, file: string | undefined): void;
}

export function createOutput(json: boolean): Output {
  return {
    json,
    say: (text) => {
      if (!json) console.log(text);
    },
    show: (value, lines) => console.log(json ? JSON.stringify(value) : lines.join("\n")),
    write(text, file) {
      if (file === undefined) process.stdout.write(text);
      else writeFileSync(file, text);
    },
  };
}

/** RFC 4180; what a spreadsheet would take for a formula is made text. */
export function toCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string => {
    const raw =
      typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(raw) ? `'${raw}` : raw;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(","));
  return `${[columns.join(","), ...lines].join("\r\n")}\r\n`;
}
