import { useState } from "preact/hooks";
import type { HoldRequest } from "../../../../shared/contract/holds.ts";
import type { House } from "../house/house.ts";
import { ZoneMark } from "../parts/zone-mark.tsx";
import { useWords } from "../words.ts";
import { Quantity } from "./quantity.tsx";
import type { ZoneFacts } from "./zones.ts";

type Props = {
  house: House;
  zones: ZoneFacts[];
  perOrder: number;
  busy: boolean;
  onHold: (body: HoldRequest) => void;
};

/** For whoever would rather say how many and how much than look for seats. */
export function BestSeats({ house, zones, perOrder, busy, onHold }: Props) {
  const { texts, format } = useWords();
  const [quantity, setQuantity] = useState(Math.min(2, perOrder));
  const [zone, setZone] = useState("");
  const [section, setSection] = useState("");
  const [together, setTogether] = useState(false);
  const [accessible, setAccessible] = useState(false);
  const seated = zones.filter((candidate) => candidate.kind === "seated");
  const hasAccessible = house.sections.some(({ rows }) =>
    rows.some((row) => row.accessible.size > 0),
  );
  const submit = (event: Event) => {
    event.preventDefault();
    onHold({
      best: {
        quantity,
        ...(zone === "" ? {} : { zone }),
        ...(section === "" ? {} : { section }),
        ...(together ? { together } : {}),
        ...(accessible ? { accessible } : {}),
      },
    });
  };
  const priceChoice = (id: string, facts?: ZoneFacts) => (
    <label key={id} class="choice">
      <input
        type="radio"
        name="best-zone"
        value={id}
        checked={zone === id}
        disabled={facts?.available === 0}
        onChange={() => setZone(id)}
      />
      <span>
        {facts ? <ZoneMark index={facts.index} /> : null}
        {facts?.name ?? texts.anyZone}
      </span>
      {facts ? <b>{facts.available === 0 ? texts.soldOut : format.money(facts.price)}</b> : null}
    </label>
  );
  const checks: [boolean, (value: boolean) => void, string][] = [
    [together, setTogether, texts.together],
    ...(hasAccessible
      ? ([[accessible, setAccessible, texts.bestAccessible]] as [
          boolean,
          (value: boolean) => void,
          string,
        ][])
      : []),
  ];
  return (
    <form class="panel best" onSubmit={submit}>
      <Quantity value={quantity} max={perOrder} onChange={setQuantity} />
      <fieldset class="choices">
        <legend>{texts.zone}</legend>
        {priceChoice("")}
        {seated.map((facts) => priceChoice(facts.id, facts))}
      </fieldset>
      {house.sections.length > 1 ? (
        <label class="field">
          <span>{texts.section}</span>
          <select value={section} onChange={(event) => setSection(event.currentTarget.value)}>
            <option value="">{texts.anySection}</option>
            {house.sections.map(({ id, name, available }) => (
              <option key={id} value={id} disabled={available === 0}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {checks.map(([value, change, text]) => (
        <label class="check" key={text}>
          <input
            type="checkbox"
            checked={value}
            onChange={(event) => change(event.currentTarget.checked)}
          />
          <span>{text}</span>
        </label>
      ))}
      <button type="submit" disabled={busy} aria-busy={busy}>
        {busy ? texts.holding : texts.find}
      </button>
    </form>
  );
}
