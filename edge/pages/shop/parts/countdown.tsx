import { useEffect, useRef, useState } from "preact/hooks";
import { serverNow } from "../../kit/clock.ts";
import { showDigits } from "../../kit/digits.ts";
import { fill } from "../../kit/i18n.ts";
import { useWords } from "../words.tsx";

const TICK_MS = 500;
/** When a screen reader is told, without being asked, what is left. */
const WARNINGS_MS = [120_000, 30_000] as const;

/** ms until the instant by the server's clock; never less than 0. */
export function useTimeLeft(instant: string | number | undefined): number {
  const at = instant === undefined ? undefined : new Date(instant).getTime();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return at === undefined ? 0 : Math.max(0, at - serverNow());
}

export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

/** The board again, this time with what is left of the hold. */
export function HoldBoard({ expiresAt, label }: { expiresAt: string; label: string }) {
  const { texts, format } = useWords();
  const lamps = useRef<HTMLDivElement>(null);
  const ms = useTimeLeft(expiresAt);
  const text = clockText(ms);
  useEffect(() => {
    if (lamps.current) showDigits(lamps.current, text);
  }, [text]);
  const warned = WARNINGS_MS.findLast((limit) => ms <= limit && ms > 0);
  const spoken =
    warned === undefined ? "" : fill(texts.timeWarning, { time: format.shortTime(warned) });
  return (
    <section class={`board hold-board ${warned === undefined ? "" : "soon"}`}>
      <p class="board-label">{label}</p>
      <div class="lamps" ref={lamps} role="img" aria-label={format.duration(ms)} />
      <p class="board-line">{fill(texts.heldUntil, { time: format.time(expiresAt) })}</p>
      <p class="sr" role="status">
        {spoken}
      </p>
    </section>
  );
}
