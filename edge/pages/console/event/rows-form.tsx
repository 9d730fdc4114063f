import { useState } from "preact/hooks";
import { ChoiceField, NumberField, TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import type { DraftSection, DraftZone } from "./draft.ts";
import { addRows, rowNames } from "./paint.ts";

type Props = {
  section: DraftSection;
  zones: readonly DraftZone[];
  onSection: (section: DraftSection) => void;
};

/** Rows by numbers: from A to T, 25 seats each, only odd ones. */
export function RowsForm({ section, zones, onSection }: Props) {
  const { plan, format } = useWords();
  const seated = zones.filter(({ kind }) => kind === "seated");
  const [from, setFrom] = useState("1");
  const [to, setTo] = useState("10");
  const [seats, setSeats] = useState(20);
  const [first, setFirst] = useState(1);
  const [step, setStep] = useState<"1" | "2">("1");
  const [zone, setZone] = useState(seated[0]?.id ?? "");
  const names = rowNames(from.trim(), to.trim());
  const price = seated.some(({ id }) => id === zone) ? zone : (seated[0]?.id ?? "");
  return (
    <fieldset class="rows-form">
      <legend>{plan.rowsByNumbers}</legend>
      <TextField label={plan.rowFrom} value={from} onValue={setFrom} maxLength={4} />
      <TextField label={plan.rowTo} value={to} onValue={setTo} maxLength={4} />
      <NumberField label={plan.seatsEach} value={seats} onValue={setSeats} min={1} max={500} />
      <NumberField label={plan.firstSeat} value={first} onValue={setFirst} min={1} max={9_000} />
      <ChoiceField
        label={plan.step}
        value={step}
        options={[
          ["1", plan.stepOne],
          ["2", plan.stepTwo],
        ]}
        onValue={setStep}
      />
      <ChoiceField
        label={plan.price}
        value={price}
        options={seated.map(({ id, name }) => [id, name] as const)}
        onValue={setZone}
      />
      <button
        type="button"
        disabled={names.length === 0 || price === ""}
        onClick={() =>
          onSection(
            addRows(section, {
              from,
              to,
              seats,
              firstSeat: first,
              step: Number(step),
              zone: price,
            }),
          )
        }
      >
        {format.plural(plan.addRows, names.length)}
      </button>
    </fieldset>
  );
}
