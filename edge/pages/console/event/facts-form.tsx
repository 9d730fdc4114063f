import { NumberField, TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import type { Draft } from "./draft.ts";

import { decimalsOf } from "./zones-form.tsx";

type Props = { draft: Draft; onChange: (change: Partial<Draft>) => void };

export function FactsForm({ draft, onChange }: Props) {
  const { plan } = useWords();
  return (
    <div class="grid">
      <TextField
        label={plan.name}
        value={draft.name}
        onValue={(name) => onChange({ name })}
        required
        maxLength={200}
      />
      <TextField
        label={plan.venue}
        value={draft.venue}
        onValue={(venue) => onChange({ venue })}
        required
        maxLength={200}
      />
      <TextField
        label={plan.timeZone}
        hint={plan.timeZoneHint}
        value={draft.timeZone}
        onValue={(timeZone) => onChange({ timeZone })}
        required
        maxLength={64}
      />
      <TextField
        label={plan.currency}
        value={draft.currency}
        onValue={(currency) => onChange({ currency: currency.toUpperCase() })}
        required
        pattern="[A-Z]{3}"
        maxLength={3}
      />
      <TextField
        label={plan.startsAt}
        type="datetime-local"
        value={draft.startsAt}
        onValue={(startsAt) => onChange({ startsAt })}
        required
      />
      <TextField
        label={plan.saleOpensAt}
        type="datetime-local"
        value={draft.saleOpensAt}
        onValue={(saleOpensAt) => onChange({ saleOpensAt })}
        required
      />
      <TextField
        label={plan.saleClosesAt}
        type="datetime-local"
        value={draft.saleClosesAt}
        onValue={(saleClosesAt) => onChange({ saleClosesAt })}
      />
      <NumberField
        label={plan.holdMinutes}
        hint={plan.holdHint}
        value={draft.holdMs / 60_000}
        onValue={(minutes) => onChange({ holdMs: Math.round(minutes * 60_000) })}
        min={1}
        max={15}
      />
      <NumberField
        label={plan.perOrder}
        value={draft.perOrderMax}
        onValue={(perOrderMax) => onChange({ perOrderMax })}
        min={1}
        max={50}
      />
      <NumberField
        label={plan.perAccount}
        value={draft.perAccountMax}
        onValue={(perAccountMax) => onChange({ perAccountMax })}
        min={1}
        max={1_000}
      />
      <FeeFields draft={draft} onChange={onChange} />
    </div>
  );
}

/** What comes on top of the prices: for each ticket, once an order, and a tax on all of it. */
function FeeFields({ draft, onChange }: Props) {
  const { plan } = useWords();
  const { fees } = draft;
  const unit = 10 ** decimalsOf(draft.currency);
  const set = (change: Partial<Draft["fees"]>) => onChange({ fees: { ...fees, ...change } });
  return (
    <>
      <NumberField
        label={plan.feePerTicket}
        hint={plan.feesHint}
        value={fees.perTicket / unit}
        onValue={(fee) => set({ perTicket: Math.round(fee * unit) })}
        min={0}
        step={1 / unit}
      />
      <NumberField
        label={plan.feePerOrder}
        value={fees.perOrder / unit}
        onValue={(fee) => set({ perOrder: Math.round(fee * unit) })}
        min={0}
        step={1 / unit}
      />
      <NumberField
        label={plan.taxPercent}
        value={fees.taxBasisPoints / 100}
        onValue={(percent) => set({ taxBasisPoints: Math.round(percent * 100) })}
        min={0}
        max={100}
        step={0.01}
      />
    </>
  );
}
