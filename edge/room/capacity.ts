import type { CapacityReport } from "../../shared/contract/rooms.ts";
import type { RoomCore } from "./core.ts";
import { decidePace } from "./pace.ts";

/** One dated reading of the core; it counts with the next look at the pace. */
export function takeReport(room: RoomCore, report: CapacityReport, now: number): void {
  const { pace } = room.state;
  const at = Date.parse(report.at);
  if (pace.report && at <= pace.report.at) return;
  pace.report = { ...report, at, heardAt: now };
  followPace(room, now);
}

/** Once a second, and with each report: the rate in force, and whether to admit at all. */
export function followPace(room: RoomCore, now: number): void {
  const { state } = room;
  const { pace, settings } = state;
  const verdict = decidePace(revive(pace.memory), {
    pace: settings.pace,
    ratePerMinute: settings.ratePerMinute,
    report: pace.report,
    now,
  });
  const rate = Math.max(1, Math.floor(verdict.ratePerMinute));
  const changed = rate !== pace.rate || verdict.hold !== pace.hold;
  const back = state.phase === "sold_out" && verdict.seatsAreBack;
  const reason = back ? "seats_are_back" : state.reason === "seats_are_back" ? "" : state.reason;
  const told = reason !== state.reason || verdict.nothingLeft !== pace.nothingLeft;
  pace.memory = verdict.state;
  pace.rate = rate;
  pace.hold = verdict.hold;
  pace.nothingLeft = verdict.nothingLeft;
  state.reason = reason;
  if (changed) room.bumpLine();
  else if (told) room.bump();
}

/** JSON has no infinity: a rate that no report has bounded yet is read back as `null`. */
function revive(memory: RoomCore["state"]["pace"]["memory"]) {
  return { ...memory, ratePerMinute: memory.ratePerMinute ?? Number.POSITIVE_INFINITY };
}
