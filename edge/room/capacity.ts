import type { CapacityReport } from "../../shared/contract/rooms.ts";
import type { RoomCore } from "./core.ts";

/** Two readings this far apart with nothing left, nothing held and nothing being paid sell a room out. */
const SOLD_OUT_MS = 10_000;
const REPORT_SKEW_MS_MAX = 30_000;

/** One dated reading of the core. An older one than the last, or one out of its time, is ignored. */
export function takeReport(room: RoomCore, report: CapacityReport, now: number): void {
  const { state } = room;
  const at = Date.parse(report.at);
  if (Math.abs(now - at) > REPORT_SKEW_MS_MAX) return;
  const { available, held, paying, sold } = report;
  state.pace.seats = { available, held, paying, sold };
  state.pace.reportedAt = now;
  const empty = available === 0 && held === 0 && paying === 0;
  if (!empty) state.pace.emptySince = undefined;
  else state.pace.emptySince ??= now;
  const since = state.pace.emptySince;
  if (state.phase === "open" && since !== undefined && now - since >= SOLD_OUT_MS)
    sellOut(room, now);
  room.bumpLine();
}

function sellOut(room: RoomCore, now: number): void {
  const { state } = room;
  room.ledger.audit({
    at: now,
    actor: "capacity",
    action: "sold_out",
    before: { phase: state.phase },
    after: { phase: "sold_out" },
    reason: "available, held and paying are 0 in two readings",
  });
  state.phase = "sold_out";
  state.reason = "";
}
