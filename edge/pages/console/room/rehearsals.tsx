import type { RehearsalView } from "../../../../shared/contract/sales.ts";
import { fill } from "../../kit/i18n.ts";
import { Card } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

/** Earlier rehearsals and what they came to. */
export function Rehearsals({ list }: { list: readonly RehearsalView[] }) {
  const { plan, format } = useWords();
  const over = list.filter(({ state }) => state !== "running");
  if (over.length === 0) return null;
  return (
    <Card title={plan.rehearsals}>
      <ul class="rows">
        {over.map(({ id, state, report, plan: wish, startedAt }) => (
          <li key={id}>
            <span>
              <b>{format.plural(plan.fansOf, wish.fans)}</b>
              <small>{format.dateTime(startedAt)}</small>
              {report === undefined ? null : (
                <small>
                  {fill(plan.rehearsalReport, {
                    admitted: format.number(report.admitted),
                    bought: format.number(report.bought),
                    wait: format.shortTime(report.waitMs.p50),
                    slow: format.shortTime(report.waitMs.p95),
                  })}
                </small>
              )}
              {report?.wrong.map((what) => (
                <small key={what} class="wrong">
                  {what}
                </small>
              ))}
            </span>
            <span class={`state state-${state}`}>{plan.rehearsalStates[state]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
