// What `npm run dev` says: short lines while it starts, then the addresses a person needs.
import { styleText } from "node:util";
import type { SeededEvent } from "./seed.ts";

const LABEL_WIDTH = 18;

export interface RunningSystem {
  readonly edge: string;
  readonly core: string;
  readonly psp: string;
  readonly mailbox: string;
  readonly organizerKey: string;
  readonly events: readonly SeededEvent[];
  readonly crowd: number;
  readonly logs: string;
  readonly readyMs: number;
  readonly now: number;
}

export function sayStep(text: string): void {
  console.log(`  ${styleText("dim", "·")} ${text}`);
}

export function sayFailure(title: string, lines: readonly string[]): void {
  console.error(`\n  ${styleText(["red", "bold"], title)}`);
  for (const line of lines) console.error(`  ${line}`);
  console.error("");
}

export function describeSystem(system: RunningSystem): string {
  const { edge, core, psp, mailbox } = system;
  const line = (label: string, value: string, note = ""): string =>
    `  ${label.padEnd(LABEL_WIDTH)}${styleText("cyan", value)}${note === "" ? "" : `   ${styleText("dim", note)}`}`;
  const seconds = (system.readyMs / 1_000).toFixed(1);
  const crowd = system.crowd > 0 ? `, with a crowd of about ${system.crowd} in front of you` : "";
  return [
    "",
    `  ${styleText(["bold", "green"], "Sıra is running")} ${styleText("dim", `(ready in ${seconds} s)`)}`,
    "",
    line("Events", `${edge}/`),
    ...system.events.map(({ event, opensAt }) => {
      const note = describeOpening(opensAt, system.now) + (event === "demo" ? crowd : "");
      return line(`Queue ${event}`, `${edge}/e/${event}`, note);
    }),
    line("Console", `${edge}/console`, "takes the organizer key"),
    line("Core", core, "/docs, /metrics, /readyz"),
    line("Payments", `${psp}/_charges`, "the simulator's ledger"),
    line("Mails", `${mailbox}/`, "what the system has written to people"),
    "",
    `  ${"Organizer key".padEnd(LABEL_WIDTH)}${styleText("bold", system.organizerKey)}`,
    `  ${"Logs".padEnd(LABEL_WIDTH)}${system.logs}`,
    "",
    styleText("dim", "  Ctrl-C stops everything."),
    "",
  ].join("\n");
}

function describeOpening(opensAt: string, now: number): string {
  const leftMs = Date.parse(opensAt) - now;
  return leftMs <= 0 ? "open" : `opens in ${Math.ceil(leftMs / 1_000)} s`;
}
