import { useState } from "preact/hooks";
import type { RoomPatch, RoomSettings } from "../../../../shared/contract/rooms.ts";
import type { RoomView } from "../calls/room.ts";
import { isoOf } from "../event/zone-time.ts";
import { Card, NumberField, TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

type Change = RoomSettings["schedule"][number];
type Props = { room: RoomView; timeZone: string; onPatch: (patch: RoomPatch) => void };

/** Rate at 10:30, notice at 11:00: what the room does by itself. */
export function Schedule({ room, timeZone, onPatch }: Props) {
  const { plan, texts, format } = useWords();
  const [at, setAt] = useState("");
  const [rate, setRate] = useState(Number.NaN);
  const [cap, setCap] = useState(Number.NaN);
  const [notice, setNotice] = useState("");
  const iso = isoOf(at, timeZone);
  const schedule = room.schedule.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const change: Change | undefined =
    iso === undefined || (Number.isNaN(rate) && Number.isNaN(cap) && notice === "")
      ? undefined
      : {
          at: iso,
          ...(Number.isNaN(rate) ? {} : { ratePerMinute: rate }),
          ...(Number.isNaN(cap) ? {} : { activeMax: cap }),
          ...(notice === "" ? {} : { notice }),
        };
  const says = (each: Change) =>
    [
      each.ratePerMinute === undefined ? "" : `${texts.rate}: ${format.number(each.ratePerMinute)}`,
      each.activeMax === undefined ? "" : `${texts.cap}: ${format.number(each.activeMax)}`,
      each.pace === undefined ? "" : `${plan.paceMode}: ${plan.choices.pace[each.pace]}`,
      each.notice === undefined ? "" : `„${each.notice}“`,
    ]
      .filter(Boolean)
      .join(" · ");
  return (
    <Card title={plan.schedule}>
      {schedule.length === 0 ? <p class="muted">{plan.noSchedule}</p> : null}
      <ol class="timeline">
        {schedule.map((each) => (
          <li key={`${each.at}${says(each)}`}>
            <time dateTime={each.at}>{format.dateTime(each.at, timeZone)}</time>
            <span>{says(each)}</span>
            <button
              type="button"
              class="quiet small"
              aria-label={`${texts.remove} ${says(each)}`}
              onClick={() => onPatch({ schedule: room.schedule.filter((other) => other !== each) })}
            >
              ×
            </button>
          </li>
        ))}
      </ol>
      <form
        class="stack"
        onSubmit={(submit) => {
          submit.preventDefault();
          if (change) onPatch({ schedule: [...room.schedule, change] });
        }}
      >
        <div class="grid">
          <TextField label={plan.at} type="datetime-local" value={at} onValue={setAt} required />
          <NumberField label={texts.rate} value={rate} onValue={setRate} min={1} required={false} />
          <NumberField label={texts.cap} value={cap} onValue={setCap} min={1} required={false} />
          <TextField label={texts.notice} value={notice} onValue={setNotice} maxLength={500} />
        </div>
        <button type="submit" disabled={change === undefined}>
          {plan.addChange}
        </button>
      </form>
    </Card>
  );
}
