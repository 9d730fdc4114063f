import { useEffect, useState } from "preact/hooks";
import type { RoomActionName, RoomPatch } from "../../../shared/contract/rooms.ts";
import { serverNow } from "../kit/clock.ts";
import { fill, formatFor } from "../kit/i18n.ts";
import { ActDialog } from "./act-dialog.tsx";
import type { Figures, RoomView } from "./calls.ts";
import { actionsFor, isGrave, msUntilLast } from "./decide.ts";
import { texts } from "./texts.ts";

type Props = {
  room: RoomView;
  figures: Figures | undefined;
  busy: boolean;
  onPatch: (patch: RoomPatch) => void;
  onAct: (action: RoomActionName, input: { reason: string; place: string }) => Promise<boolean>;
};

const format = formatFor("en");
/** The slider is logarithmic: 6 a minute and 6,000 a minute are both somebody's right number. */
const toSlider = (rate: number) => Math.round(Math.log10(Math.max(1, rate)) * 250);
const fromSlider = (value: number) => {
  const rate = 10 ** (value / 250);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(rate)) - 1);
  return Math.max(1, Math.round(rate / step) * step);
};

function forecastOf(waiting: number, rate: number): string {
  const ms = msUntilLast(waiting, rate);
  if (ms === undefined) return texts.forecastNone;
  return fill(texts.forecast, { time: format.dateTime(serverNow() + ms) });
}

export function Controls({ room, figures, busy, onPatch, onAct }: Props) {
  const [rate, setRate] = useState(room.ratePerMinute);
  const [cap, setCap] = useState(room.activeMax);
  const [notice, setNotice] = useState(room.notice);
  const [asking, setAsking] = useState<RoomActionName>();
  // What somebody else has set meanwhile replaces that field, and leaves alone what is being typed.
  useEffect(() => setRate(room.ratePerMinute), [room.ratePerMinute]);
  useEffect(() => setCap(room.activeMax), [room.activeMax]);
  useEffect(() => setNotice(room.notice), [room.notice]);
  const isChanged = rate !== room.ratePerMinute || cap !== room.activeMax;
  return (
    <section class="controls">
      <div class="card">
        <h3>{texts.controls}</h3>
        <div class="acts">
          {actionsFor(room.phase).map((action) => (
            <button
              key={action}
              type="button"
              class={isGrave(action) ? "quiet grave-line" : "quiet"}
              disabled={busy}
              onClick={() => setAsking(action)}
            >
              {texts.actions[action][0]}
            </button>
          ))}
        </div>
      </div>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          onPatch({ ratePerMinute: rate, activeMax: cap });
        }}
      >
        <label class="field">
          <span>{texts.rate}</span>
          <input
            type="number"
            min={1}
            max={100_000}
            required
            value={rate}
            onInput={(event) => setRate(Number(event.currentTarget.value))}
          />
        </label>
        <input
          type="range"
          aria-label={texts.rate}
          min={0}
          max={1_250}
          value={toSlider(rate)}
          onInput={(event) => setRate(fromSlider(Number(event.currentTarget.value)))}
        />
        <p class="muted" role="status">
          {forecastOf(figures?.waiting ?? 0, rate)}
        </p>
        <label class="field">
          <span>{texts.cap}</span>
          <input
            type="number"
            min={1}
            max={1_000_000}
            required
            value={cap}
            onInput={(event) => setCap(Number(event.currentTarget.value))}
          />
        </label>
        <button type="submit" disabled={busy || !isChanged}>
          {texts.apply}
        </button>
      </form>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          onPatch({ notice });
        }}
      >
        <label class="field">
          <span>{texts.notice}</span>
          <textarea
            rows={3}
            maxLength={500}
            value={notice}
            onInput={(event) => setNotice(event.currentTarget.value)}
          />
          <small>{texts.noticeHint}</small>
        </label>
        <button type="submit" disabled={busy || notice === room.notice}>
          {texts.publish}
        </button>
      </form>
      {asking === undefined ? null : (
        <ActDialog
          title={texts.actions[asking][0]}
          body={texts.actions[asking][1]}
          grave={isGrave(asking)}
          withPlace={asking === "admit"}
          busy={busy}
          onClose={() => setAsking(undefined)}
          onConfirm={(input) =>
            void onAct(asking, input).then((done) => done && setAsking(undefined))
          }
        />
      )}
    </section>
  );
}
