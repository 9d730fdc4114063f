import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { serverNow } from "../../kit/clock.ts";
import { showDigits } from "../../kit/digits.ts";
import { fill } from "../../kit/i18n.ts";
import { useWords } from "../words.ts";

const TICK_MS = 500;
/** When everybody is told, without asking, what is left. */
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

/** The warning that is due: it changes twice, so a screen reader speaks twice and no more. */
const warningAt = (ms: number): number | undefined =>
  WARNINGS_MS.findLast((limit) => ms <= limit && ms > 0);

/** What is said then; whoever opens the page later hears what is really left. */
function useWarning(ms: number): { warned: number | undefined; leftMs: number } {
  const warned = warningAt(ms);
  const leftMs = useMemo(() => Math.min(warned ?? 0, ms), [warned]);
  return { warned, leftMs };
}

/** What is left of the visit: the fan still chooses. */
export function VisitClock({ endsAt }: { endsAt: number | undefined }) {
  const { texts, format } = useWords();
  const ms = useTimeLeft(endsAt);
  const { warned, leftMs } = useWarning(ms);
  if (endsAt === undefined) return null;
  return (
    <div class={`left ${warned === undefined ? "" : "soon"}`}>
      <p>
        {fill(texts.timeLeft, { time: "" })} <b>{clockText(ms)}</b>
      </p>
      <p class="sr" role="status">
        {warned === undefined ? "" : fill(texts.visitWarning, { time: format.shortTime(leftMs) })}
      </p>
    </div>
  );
}

export type MoreTime = {
  /** Asks for it; the board shows what came of it. */
  onAsk: () => void;
  busy: boolean;
  said: "given" | "refused" | undefined;
};

type BoardProps = {
  expiresAt: string;
  label: string;
  more?: MoreTime | undefined;
};

/** The board again, this time with what is left of the hold. */
export function HoldBoard({ expiresAt, label, more }: BoardProps) {
  const { texts, format } = useWords();
  const lamps = useRef<HTMLDivElement>(null);
  const ms = useTimeLeft(expiresAt);
  const text = clockText(ms);
  useEffect(() => {
    if (lamps.current) showDigits(lamps.current, text);
  }, [text]);
  const { warned, leftMs } = useWarning(ms);
  const spoken =
    warned === undefined ? "" : fill(texts.timeWarning, { time: format.shortTime(leftMs) });
  return (
    <section class={`board hold-board ${warned === undefined ? "" : "soon"}`}>
      <p class="board-label">{label}</p>
      <div class="lamps" ref={lamps} role="img" aria-label={format.duration(ms)} />
      <p class="board-line" role="status">
        {spoken === "" ? fill(texts.heldUntil, { time: format.time(expiresAt) }) : spoken}
      </p>
      {more ? (
        <div class="more-time">
          <button type="button" class="quiet" disabled={more.busy} onClick={more.onAsk}>
            {texts.moreTime}
          </button>
          <p role="status">
            {more.said === undefined
              ? ""
              : more.said === "given"
                ? fill(texts.moreTimeGiven, { time: format.time(expiresAt) })
                : texts.moreTimeOver}
          </p>
        </div>
      ) : null}
    </section>
  );
}
