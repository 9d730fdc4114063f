// A sale in one file: the event for the core, and its room at the gate.
import { readFileSync } from "node:fs";

export interface SaleFile {
  readonly event?: unknown;
  readonly room?: unknown;
}

/** @throws a sentence that names the file and what is wrong with it. */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new Error(`${file} cannot be read`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : ""}`);
  }
}

/** `{event?, room?}`, at least one of them. */
export function readSaleFile(file: string): SaleFile {
  const value = readJsonFile(file);
  if (typeof value !== "object" || value === null || !("event" in value || "room" in value))
    throw new Error(`${file} must hold {"event": {…}, "room": {…}}, or one of the two`);
  return value;
}
