import { Card, ChoiceField, NumberField, TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import type { Draft, DraftZone } from "./draft.ts";

type Props = { draft: Draft; onChange: (change: Partial<Draft>) => void };

/** Decimals of a currency: 2 of most, none of the yen, 3 of the dinar. */
export const decimalsOf = (currency: string): number => {
  try {
    const style = { style: "currency", currency } as const;
    return new Intl.NumberFormat("en", style).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
};

const EMPTY: DraftZone = { id: "", name: "", price: 0, kind: "seated" };

/** Prices: zones of seats, and standing zones with how many they hold. */
export function ZonesForm({ draft, onChange }: Props) {
  const { plan, texts } = useWords();
  const decimals = decimalsOf(draft.currency);
  const unit = 10 ** decimals;
  const set = (at: number, change: Partial<DraftZone>) =>
    onChange({
      zones: draft.zones.map((zone, i) => (i === at ? { ...zone, ...change } : zone)),
    });
  const bear = (at: number, fee: number) => {
    const { fee: _, ...zone } = draft.zones[at] ?? EMPTY;
    const next = Number.isNaN(fee) ? zone : { ...zone, fee: Math.round(fee * unit) };
    onChange({ zones: draft.zones.map((each, i) => (i === at ? next : each)) });
  };
  const turn = (at: number, kind: DraftZone["kind"]) => {
    const { capacity: _, ...zone } = draft.zones[at] ?? EMPTY;
    const next = kind === "standing" ? { ...zone, kind, capacity: 500 } : { ...zone, kind };
    onChange({ zones: draft.zones.map((each, i) => (i === at ? next : each)) });
  };
  const add = () => {
    const ids = new Set(draft.zones.map(({ id }) => id));
    let n = draft.zones.length + 1;
    while (ids.has(`P${n}`)) n += 1;
    const zone: DraftZone = { id: `P${n}`, name: `${n}`, price: 0, kind: "seated" };
    onChange({ zones: [...draft.zones, zone] });
  };
  return (
    <Card title={plan.prices}>
      <ul class="zones">
        {draft.zones.map((zone, at) => (
          <li key={at}>
            <i class={`swatch zone-${at % 8}`} aria-hidden="true" />
            <TextField
              label={plan.zoneId}
              value={zone.id}
              onValue={(id) => set(at, { id })}
              required
              pattern="[A-Za-z0-9][A-Za-z0-9_.]{0,31}"
            />
            <TextField
              label={plan.zoneName}
              value={zone.name}
              onValue={(name) => set(at, { name })}
              required
              maxLength={120}
            />
            <NumberField
              label={plan.price}
              value={zone.price / unit}
              onValue={(price) => set(at, { price: Math.round(price * unit) })}
              min={0}
              step={1 / unit}
            />
            <NumberField
              label={plan.ownFee}
              value={zone.fee === undefined ? Number.NaN : zone.fee / unit}
              onValue={(fee) => bear(at, fee)}
              min={0}
              step={1 / unit}
              required={false}
              placeholder={String(draft.fees.perTicket / unit)}
            />
            <ChoiceField
              label={plan.zoneKind}
              value={zone.kind}
              options={[
                ["seated", plan.seated],
                ["standing", plan.standing],
              ]}
              onValue={(kind) => turn(at, kind)}
            />
            {zone.kind === "standing" ? (
              <NumberField
                label={plan.capacity}
                value={zone.capacity ?? 0}
                onValue={(capacity) => set(at, { capacity })}
                min={0}
                max={1_000_000}
              />
            ) : (
              <span />
            )}
            <button
              type="button"
              class="quiet small"
              disabled={draft.zones.length === 1}
              aria-label={`${texts.remove} ${zone.name}`}
              onClick={() => onChange({ zones: draft.zones.filter((_, i) => i !== at) })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet small" onClick={add}>
        {plan.addZone}
      </button>
    </Card>
  );
}
