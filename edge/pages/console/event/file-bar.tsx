import { useState } from "preact/hooks";
import { Card } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import { type Draft, putOf } from "./draft.ts";
import { importFile } from "./import.ts";

type Props = {
  draft: Draft;
  name: string;
  onDraft: (draft: Draft) => void;
  onClone?: () => void;
};

const FILE_BYTES_MAX = 16_000_000;

/** A house from a file, to a file, or from another event. */
export function FileBar({ draft, name, onDraft, onClone }: Props) {
  const { plan } = useWords();
  const [faults, setFaults] = useState<string[]>([]);
  const take = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file || file.size > FILE_BYTES_MAX) return;
    const imported = importFile(draft, { name: file.name, text: await file.text() });
    input.value = "";
    setFaults(imported.ok ? [] : imported.faults);
    if (imported.ok) onDraft(imported.draft);
  };
  const give = () => {
    const text = JSON.stringify(putOf(draft) ?? draft, null, 2);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `${name || "event"}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return (
    <Card title={plan.files}>
      <div class="actions">
        <label class="button quiet file">
          {plan.import}
          <input
            type="file"
            accept=".csv,.json,text/csv,application/json"
            onChange={(event) => void take(event.currentTarget)}
          />
        </label>
        <button type="button" class="quiet" onClick={give}>
          {plan.export}
        </button>
        {onClone ? (
          <button type="button" class="quiet" onClick={onClone}>
            {plan.clone}
          </button>
        ) : null}
      </div>
      <p class="muted">{plan.importHint}</p>
      {faults.length === 0 ? null : (
        <div class="notice" role="alert">
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}
