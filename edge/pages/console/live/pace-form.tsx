import { useEffect, useState } from "preact/hooks";
import type { RoomPatch } from "../../../../shared/contract/rooms.ts";
import { serverNow } from "../../kit/clock.ts";
import type { Figures, RoomView } from "../calls/room.ts";
import { NumberField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import { effectOf, fromSlider, sliderOf } from "./decide.ts";
import { Figure, Says } from "./figure.tsx";

type Props = {
  room: RoomView;
  figures: Figures;
  busy: boolean;
  onPatch: (patch: RoomPatch) => void;
};

/** Rate and cap, and what they would do, before they do it. */
export function PaceForm({ room, figures, busy, onPatch }: Props) {
  const { texts, format } = useWords();
  const [rate, setRate] = useState(room.ratePerMinute);
  const [cap, setCap] = useState(room.activeMax);
  // What somebody else has set meanwhile replaces that field, and leaves alone what is being typed.
  useEffect(() => setRate(room.ratePerMinute), [room.ratePerMinute]);
  useEffect(() => setCap(room.activeMax), [room.activeMax]);
  const isChanged = rate !== room.ratePerMinute || cap !== room.activeMax;
  const effect = effectOf({
    waiting: figures.waiting,
    noShowShare: figures.noShowShare,
    ratePerMinute: rate,
    activeMax: cap,
    sessionMs: room.sessionMs,
  });
  const count = (name: string, value: number) => (
    <Figure name={name} value={value}>
      {format.number(value)}
    </Figure>
  );
  const limit = figures.capacity?.limitPerMinute;
  return (
    <form
      class="card pace"
      onSubmit={(event) => {
        event.preventDefault();
        onPatch({ ratePerMinute: rate, activeMax: cap });
      }}
    >
      <h2>{texts.pace}</h2>
      <div class="dial">
        <NumberField label={texts.rate} value={rate} onValue={setRate} min={1} max={100_000} />
        <input
          type="range"
          aria-label={texts.rateSlider}
          aria-valuetext={format.number(rate)}
          min={0}
          max={1_250}
          value={sliderOf(rate)}
          onInput={(event) => setRate(fromSlider(event.currentTarget.valueAsNumber))}
        />
      </div>
      <div class="dial">
        <NumberField label={texts.cap} value={cap} onValue={setCap} min={1} max={1_000_000} />
        <input
          type="range"
          aria-label={texts.capSlider}
          aria-valuetext={format.number(cap)}
          min={0}
          max={1_500}
          value={sliderOf(cap)}
          onInput={(event) => setCap(fromSlider(event.currentTarget.valueAsNumber))}
        />
      </div>
      <p class="forecast" role="status">
        {effect.lastInMs === undefined ? (
          texts.forecastNone
        ) : (
          <Says
            text={texts.forecast}
            parts={{
              time: (
                <Figure name="forecast" value={Math.round(effect.lastInMs)}>
                  {format.time(serverNow() + effect.lastInMs)}
                </Figure>
              ),
            }}
          />
        )}
      </p>
      <p class="muted">
        {effect.boundBy === "cap" ? (
          <Says text={texts.capBinds} parts={{ rate: count("capRate", effect.capPerMinute) }} />
        ) : limit !== undefined && rate > limit ? (
          <Says text={texts.overCapacity} parts={{ limit: count("limit", limit) }} />
        ) : (
          texts.rateBinds
        )}
      </p>
      <button type="submit" disabled={busy || !isChanged}>
        {texts.apply}
      </button>
    </form>
  );
}
