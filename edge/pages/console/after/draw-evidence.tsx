import { useEffect, useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import { readDraw } from "../calls/sale.ts";
import { Card } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

const FACTS = ["commitment", "committedAt", "drawnAt", "seed"] as const;

/** What anybody needs to do the draw again. */
export function DrawEvidence({ event }: { event: EventView }) {
  const { texts, format } = useWords();
  const [evidence, setEvidence] = useState<Record<string, unknown>>();
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    void readDraw(event.id).then((reply) => {
      setRead(true);
      if (reply.kind === "ok") setEvidence(reply.data);
    });
  }, [event.id]);
  if (!isRead) return null;
  const save = () => {
    const link = document.createElement("a");
    const text = JSON.stringify(evidence, null, 2);
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `${event.id}-draw.json`;
    link.click();
  };
  const pool = evidence?.["pool"];
  const count = typeof pool === "object" && pool !== null ? Reflect.get(pool, "count") : undefined;
  const abandoned = evidence?.["abandoned"];
  const show = (name: string, value: string) =>
    name.endsWith("At") ? format.dateTime(value) : value;
  return (
    <Card title={texts.draw}>
      {evidence === undefined ? (
        <p class="empty">{texts.noDraw}</p>
      ) : (
        <>
          <dl class="evidence">
            {typeof count === "number" ? (
              <div>
                <dt>{texts.drawFacts.pool}</dt>
                <dd>{format.number(count)}</dd>
              </div>
            ) : null}
            {FACTS.map((name) => {
              const value = evidence[name];
              return typeof value === "string" ? (
                <div key={name}>
                  <dt>{texts.drawFacts[name]}</dt>
                  <dd class="mono">{show(name, value)}</dd>
                </div>
              ) : null;
            })}
            {Array.isArray(abandoned) && abandoned.length > 0 ? (
              <div>
                <dt>{texts.drawFacts.abandoned}</dt>
                <dd>{format.number(abandoned.length)}</dd>
              </div>
            ) : null}
          </dl>
          <div class="actions">
            <a href={`/verify/${event.id}`}>{texts.drawPage}</a>
            <button type="button" class="quiet" onClick={save}>
              {texts.saveEvidence}
            </button>
          </div>
        </>
      )}
    </Card>
  );
}
