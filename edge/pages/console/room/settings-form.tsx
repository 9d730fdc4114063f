import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import type { RoomPatch } from "../../../../shared/contract/rooms.ts";
import type { RoomView } from "../calls/room.ts";
import { isoOf, localOf } from "../event/zone-time.ts";
import { Card, Check, ChoiceField, NumberField, TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

type Props = { room: RoomView; event: EventView; onPatch: (patch: RoomPatch) => void };

const NAMES = [
  "opensAt",
  "closesAt",
  "ratePerMinute",
  "activeMax",
  "sessionMs",
  "claimMs",
  "early",
  "pace",
  "binding",
  "entry",
  "challenge",
  "beacon",
  "doors",
  "continueTo",
  "returnOrigins",
  "publishFairness",
] as const;

/** Only what differs is sent: a setting that nobody touched is nobody's change. */
export function changesOf(before: RoomView, after: RoomView): RoomPatch {
  const changed = NAMES.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

export function SettingsForm({ room, event, onPatch }: Props) {
  const { plan, texts } = useWords();
  const [draft, setDraft] = useState(room);
  const [opens, setOpens] = useState(localOf(room.opensAt, event.timeZone));
  const [closes, setCloses] = useState(localOf(room.closesAt, event.timeZone));
  const set = (change: Partial<RoomView>) => setDraft({ ...draft, ...change });
  const opensAt = isoOf(opens, event.timeZone);
  const closesAt = isoOf(closes, event.timeZone);
  // The input has no seconds: an opening that nobody touched stays to the second.
  const isMoved = opens !== localOf(room.opensAt, event.timeZone);
  const isClosedElse = closes !== localOf(room.closesAt, event.timeZone);
  const patch = changesOf(room, {
    ...draft,
    ...(isMoved && opensAt !== undefined ? { opensAt } : {}),
    ...(isClosedElse && closesAt !== undefined ? { closesAt } : {}),
  });
  const choice = <T extends string>(id: keyof typeof plan.choices, all: readonly T[]) =>
    all.map((each) => [each, Reflect.get(plan.choices[id], each) as string] as const);
  return (
    <Card title={plan.settings}>
      <form
        class="stack"
        onSubmit={(submit) => {
          submit.preventDefault();
          onPatch(patch);
        }}
      >
        <div class="grid">
          <TextField
            label={plan.opensAt}
            type="datetime-local"
            value={opens}
            onValue={setOpens}
            required
          />
          <TextField
            label={plan.closesAt}
            type="datetime-local"
            value={closes}
            onValue={setCloses}
          />
          <NumberField
            label={texts.rate}
            value={draft.ratePerMinute}
            onValue={(ratePerMinute) => set({ ratePerMinute })}
            min={1}
            max={100_000}
          />
          <NumberField
            label={texts.cap}
            value={draft.activeMax}
            onValue={(activeMax) => set({ activeMax })}
            min={1}
            max={1_000_000}
          />
          <NumberField
            label={plan.sessionMinutes}
            value={draft.sessionMs / 60_000}
            onValue={(minutes) => set({ sessionMs: Math.round(minutes * 60_000) })}
            min={1}
            max={120}
          />
          <NumberField
            label={plan.claimSeconds}
            value={draft.claimMs / 1_000}
            onValue={(seconds) => set({ claimMs: Math.round(seconds * 1_000) })}
            min={10}
            max={600}
          />
          <ChoiceField
            label={plan.early}
            value={draft.early}
            options={choice("early", ["draw", "fifo"] as const)}
            onValue={(early) => set({ early })}
          />
          <ChoiceField
            label={plan.beacon}
            value={draft.beacon.kind}
            options={choice("beacon", ["none", "drand"] as const)}
            onValue={(kind) => set({ beacon: { ...draft.beacon, kind } })}
          />
          <ChoiceField
            label={plan.paceMode}
            value={draft.pace}
            options={choice("pace", ["fixed", "measured"] as const)}
            onValue={(pace) => set({ pace })}
          />
          <ChoiceField
            label={plan.binding}
            hint={draft.binding === "none" ? plan.bindingNone : ""}
            value={draft.binding}
            options={choice("binding", ["dpop", "none"] as const)}
            onValue={(binding) => set({ binding })}
          />
          <ChoiceField
            label={plan.entry}
            value={draft.entry}
            options={choice("entry", ["open", "pass"] as const)}
            onValue={(entry) => set({ entry })}
          />
          <ChoiceField
            label={plan.challenge}
            value={draft.challenge}
            options={choice("challenge", ["none", "pow", "turnstile"] as const)}
            onValue={(challenge) => set({ challenge })}
          />
          <NumberField
            label={plan.doors}
            hint={plan.doorsHint}
            value={draft.doors}
            onValue={(doors) => set({ doors })}
            min={1}
            max={64}
          />
          <TextField
            label={plan.continueTo}
            hint={plan.continueHint}
            value={draft.continueTo ?? ""}
            onValue={(continueTo) => set({ continueTo })}
            maxLength={500}
          />
        </div>
        <Check
          label={plan.publishFairness}
          value={draft.publishFairness === true}
          onValue={(publishFairness) => set({ publishFairness })}
        />
        <button type="submit" disabled={Object.keys(patch).length === 0}>
          {plan.saveRoom}
        </button>
      </form>
    </Card>
  );
}
