import type { Run } from "../calls/house.ts";
import { Card } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

const RUNS_SHOWN = 14;

/** The last nights: what was found, and what repaired itself. */
export function Runs({ runs }: { runs: readonly Run[] }) {
  const { texts, format } = useWords();
  return (
    <Card title={texts.nights}>
      {runs.length === 0 ? <p class="empty">{texts.noNights}</p> : null}
      <ul class="rows">
        {runs.slice(0, RUNS_SHOWN).map((run) => (
          <li key={run.id}>
            <span>
              <b>{run.day}</b>
              {Object.entries(run.counts).map(([name, count]) => (
                <small key={name}>
                  {texts.classes[name as keyof typeof texts.classes] ?? name}:{" "}
                  {format.number(count.found)} / {format.number(count.repaired)}
                </small>
              ))}
              {run.error === null ? null : <small class="wrong">{run.error}</small>}
            </span>
            <span class={`state state-${run.state}`}>{texts.runStates[run.state]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
