import type { Figures } from "../calls/room.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";
import { countedAt } from "./decide.ts";
import { Figure, Says } from "./figure.tsx";

const SHOWN_MAX = 40;
/** A share of fewer says nothing. */
const PROMISES_MIN = 10;

/** The wait as it was promised, and as it came true: a range for each promise, a dot for the truth. */
export function Promises({ figures, now }: { figures: Figures; now: number }) {
  const { texts, format, percent } = useWords();
  const { promises, waits, wait } = figures;
  const shown = waits.slice(-SHOWN_MAX);
  const top = Math.max(1, ...shown.map(({ highMs, trueMs }) => Math.max(highMs, trueMs)));
  const last = shown.at(-1);
  return (
    <section class="card promises">
      <header class="card-head">
        <h2>{texts.promises}</h2>
        <Age at={countedAt(figures)} now={now} />
      </header>
      {promises && promises.made >= PROMISES_MIN ? (
        <p class="big">
          <Says
            text={texts.promisesKept}
            parts={{
              share: (
                <Figure name="promises" value={promises.kept / promises.made}>
                  {percent(promises.kept / promises.made)}
                </Figure>
              ),
            }}
          />
        </p>
      ) : null}
      {wait ? (
        <p>
          <Says
            text={texts.waitNow}
            parts={{
              range: (
                <Figure name="wait" value={wait.high}>
                  {format.durationRange(wait.low, wait.high)}
                </Figure>
              ),
            }}
          />
        </p>
      ) : null}
      {last === undefined ? (
        <p class="muted">{texts.noPromises}</p>
      ) : (
        <>
          <svg
            viewBox={`0 0 ${SHOWN_MAX * 8} 100`}
            role="img"
            aria-label={texts.promises}
            preserveAspectRatio="none"
          >
            {shown.map(({ at, lowMs, highMs, trueMs }, i) => {
              const x = i * 8 + 4;
              const y = (ms: number) => 96 - (ms / top) * 92;
              const isKept = trueMs >= lowMs && trueMs <= highMs;
              return (
                <g key={`${at}-${i}`} class={isKept ? "kept" : "broken"}>
                  <line x1={x} x2={x} y1={y(highMs)} y2={y(lowMs)} />
                  <circle cx={x} cy={y(trueMs)} r={2.6} />
                </g>
              );
            })}
          </svg>
          <p class="muted">
            <Says
              text={texts.lastPromise}
              parts={{
                range: (
                  <Figure name="promised" value={last.highMs}>
                    {format.durationRange(last.lowMs, last.highMs)}
                  </Figure>
                ),
                truth: (
                  <Figure name="waited" value={last.trueMs}>
                    {format.duration(last.trueMs)}
                  </Figure>
                ),
              }}
            />
          </p>
        </>
      )}
    </section>
  );
}
