import { useEffect, useState } from "preact/hooks";
import { fill } from "../../kit/i18n.ts";
import { type Causes, readCauses } from "../calls/house.ts";
import type { Session } from "../calls/session.ts";
import { Card } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

/** Second charges and unknown outcomes of the last day, counted by what caused them. */
export function Doubles({ session }: { session: Session }) {
  const { texts, format } = useWords();
  const [causes, setCauses] = useState<Causes>();
  useEffect(() => {
    void readCauses(session).then((reply) => reply.kind === "ok" && setCauses(reply.data));
  }, []);
  if (!causes) return null;
  const origin = (id: string) => texts.origins[id as keyof typeof texts.origins] ?? id;
  return (
    <Card title={texts.doubles}>
      <p class="muted">
        {Object.entries(causes.attempts)
          .map(([id, count]) => `${origin(id)} ${format.number(count)}`)
          .join(" · ")}
      </p>
      {causes.doubles.length + causes.unknowns.length === 0 ? (
        <p class="empty">{texts.noDoubles}</p>
      ) : null}
      <ul class="rows">
        {causes.doubles.map((each) => (
          <li key={`${each.origin}${each.before}`}>
            <span>
              <b>{origin(each.origin)}</b>
              <small>{fill(texts.doubleAfter, { before: each.before })}</small>
            </span>
            <b>{format.number(each.count)}</b>
          </li>
        ))}
        {causes.unknowns.map((each) => (
          <li key={`${each.cause}${each.origin}${each.ended}`}>
            <span>
              <b>{each.cause}</b>
              <small>
                {origin(each.origin)} · {fill(texts.endedAs, { ended: each.ended })}
              </small>
            </span>
            <b>{format.number(each.count)}</b>
          </li>
        ))}
      </ul>
    </Card>
  );
}
