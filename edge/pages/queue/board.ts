import { showDigits } from "../kit/digits.ts";
import { byId, setText } from "../kit/dom.ts";
import { fill } from "../kit/i18n.ts";
import type { Drawing } from "./render.ts";
import type { View } from "./view.ts";

const DAY_MS = 86_400_000;
/** Longer countdowns are told in days; nobody reads 100 hours. */
const CLOCK_MS_MAX = 2 * DAY_MS;

const two = (n: number) => String(n).padStart(2, "0");

/** `12:03:59`, or `03:59` in the last hour. */
export function clockOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${two(hours)}:${rest}` : rest;
}

/** The same moment where the house is and where the fan is, when the two differ. */
function openingLine({ facts, texts, format }: Drawing, now: number): string {
  const { status } = facts;
  if (!status) return "";
  const zone = status.branding?.timeZone;
  const at = Date.parse(status.opensAt);
  const far = at - now > DAY_MS / 2;
  const there = far || zone ? format.dateTime(at, zone) : format.time(at);
  const line = fill(texts.opensAt, { time: there });
  const here = format.time(at);
  return zone !== undefined && format.time(at, zone) !== here
    ? `${line} · ${fill(texts.hereTime, { time: here })}`
    : line;
}

function movingLine(view: View, { facts, texts, format }: Drawing): string {
  switch (view.screen) {
    case "paused":
      return texts.pausedLine;
    case "sold_out":
    case "too_late":
      return texts.soldOutLine;
    case "closed":
      return texts.closedLine;
    default: {
      if (facts.status?.reason === "no_capacity_report") return texts.held;
      const pace = Math.round(facts.status?.measuredPerMinute ?? 0);
      if (pace > 0) return format.plural(texts.moving, pace);
      // Right after the opening nobody has been let in yet, and that says nothing.
      return facts.status?.admitted === 0 && !facts.status.reason ? "" : texts.standing;
    }
  }
}

/** What the lamps show, what stands over and under them, and what they say to a screen reader. */
export function showBoard(view: View, drawing: Drawing, now: number): void {
  const { texts, format } = drawing;
  const board = byId("board");
  const lamps = byId("lamps");
  const show = (parts: { label: string; lamps: string; line: string; spoken: string }) => {
    setText(byId("board-label"), parts.label);
    setText(byId("board-line"), parts.line);
    showDigits(lamps, parts.lamps);
    if (lamps.getAttribute("aria-label") !== parts.spoken)
      lamps.setAttribute("aria-label", parts.spoken);
  };
  const isStill = ["paused", "sold_out", "too_late", "closed", "left", "gone", "moved"].includes(
    view.screen,
  );
  board.classList.toggle("dim", isStill || view.stale);
  if (view.countdownMs !== undefined) {
    const days = Math.round(view.countdownMs / DAY_MS);
    const isFar = view.countdownMs > CLOCK_MS_MAX;
    const spoken = format.duration(view.countdownMs);
    const line = openingLine(drawing, now);
    const text = isFar ? String(days) : clockOf(view.countdownMs);
    const label = isFar ? `${texts.opensIn} (${format.days(days)})` : texts.opensIn;
    show({ label, lamps: text, line, spoken });
  } else if (view.screen === "drawing") {
    show({ label: texts.drawingLabel, lamps: "----", line: "", spoken: texts.drawing[0] });
  } else if (view.calling === undefined) {
    show({ label: texts.nowCalling, lamps: "    ", line: "", spoken: texts.loading[0] });
  } else {
    const { calling } = view;
    const cells = Math.max(4, String(view.number ?? 0).length, String(calling).length);
    const spoken = calling === 0 ? texts.nobodyYet : format.number(calling);
    const text = String(calling).padStart(cells, " ");
    show({ label: texts.nowCalling, lamps: text, line: movingLine(view, drawing), spoken });
  }
}
