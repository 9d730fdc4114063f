import { useState } from "preact/hooks";
import { Card, TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import { Brushes } from "./brushes.tsx";
import type { Draft, DraftSection } from "./draft.ts";
import { type Brush, countDraft, paintSeat, worthOf } from "./paint.ts";
import { RowsForm } from "./rows-form.tsx";
import { SeatCanvas } from "./seat-canvas.tsx";

type Props = { draft: Draft; onChange: (change: Partial<Draft>) => void };

/** Sections, their rows by numbers, and a brush for prices and kinds of seats. */
export function SeatEditor({ draft, onChange }: Props) {
  const { plan, texts, format } = useWords();
  const [chosen, setChosen] = useState(0);
  const [brush, setBrush] = useState<Brush>({ kind: "price", zone: draft.zones[0]?.id ?? "" });
  const section = draft.sections[chosen];
  const count = countDraft(draft);
  const set = (next: DraftSection) =>
    onChange({ sections: draft.sections.map((each, i) => (i === chosen ? next : each)) });
  const add = () => {
    const ids = new Set(draft.sections.map(({ id }) => id));
    let code = 65;
    while (ids.has(String.fromCharCode(code)) && code < 90) code += 1;
    const id = ids.has(String.fromCharCode(code))
      ? `S${draft.sections.length + 1}`
      : String.fromCharCode(code);
    onChange({ sections: [...draft.sections, { id, name: id, rows: [] }] });
    setChosen(draft.sections.length);
  };
  return (
    <Card
      title={plan.seats}
      more={
        <p class="muted" data-figure="draft">
          {format.plural(plan.countSeats, count.seats + count.standing)} ·{" "}
          {format.money({ amount: worthOf(draft), currency: safe(draft.currency) })}
        </p>
      }
    >
      <fieldset class="sections" aria-label={plan.sections}>
        {draft.sections.map(({ id, name }, at) => (
          <button
            key={at}
            type="button"
            class="quiet small"
            aria-pressed={at === chosen}
            onClick={() => setChosen(at)}
          >
            {name || id}
          </button>
        ))}
        <button type="button" class="quiet small" onClick={add}>
          {plan.addSection}
        </button>
      </fieldset>
      {section === undefined ? (
        <p class="empty">{plan.noSections}</p>
      ) : (
        <>
          <div class="grid">
            <TextField
              label={plan.sectionId}
              value={section.id}
              onValue={(id) => set({ ...section, id })}
              required
              pattern="[A-Za-z0-9][A-Za-z0-9_.]{0,31}"
            />
            <TextField
              label={plan.sectionName}
              value={section.name}
              onValue={(name) => set({ ...section, name })}
              required
              maxLength={120}
            />
          </div>
          <RowsForm section={section} zones={draft.zones} onSection={set} />
          <Brushes zones={draft.zones} brush={brush} onBrush={setBrush} />
          <SeatCanvas
            section={section}
            zones={draft.zones}
            onPaint={(spots) =>
              set(spots.reduce((painted, spot) => paintSeat(painted, spot, brush), section))
            }
          />
          <button
            type="button"
            class="quiet small grave-line"
            onClick={() => {
              onChange({ sections: draft.sections.filter((_, i) => i !== chosen) });
              setChosen(0);
            }}
          >
            {texts.remove} {section.name}
          </button>
        </>
      )}
    </Card>
  );
}

/** A currency that is still being typed is no reason to draw nothing. */
const safe = (currency: string) => (/^[A-Z]{3}$/.test(currency) ? currency : "EUR");
