import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import type { RoomPatch } from "../../../../shared/contract/rooms.ts";
import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { fill } from "../../kit/i18n.ts";
import type { Figures, RoomView } from "../calls/room.ts";
import { Card, NumberField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import { whichRate } from "./calculator.ts";

type Props = {
  event: EventView;
  room: RoomView;
  figures: Figures | undefined;
  sale: SaleFigures | undefined;
  onPatch: (patch: RoomPatch) => void;
};

/** "Which rate?", with the core's own measure of what it can bear. */
export function RateCalculator({ event, room, figures, sale, onPatch }: Props) {
  const { plan, format, percent } = useWords();
  const free = (sale?.zones ?? []).reduce((sum, zone) => sum + zone.available, 0);
  const measured = figures?.capacity?.limitPerMinute;
  const [perOrder, setPerOrder] = useState(2.4);
  const [buys, setBuys] = useState(60);
  const [visitMinutes, setVisit] = useState(Math.max(1, Math.round(event.holdMs / 120_000)));
  const [limit, setLimit] = useState(Number.NaN);
  const answer = whichRate({
    tickets: free,
    ticketsPerOrder: perOrder,
    buyPercent: buys,
    visitMs: visitMinutes * 60_000,
    limitPerMinute: Number.isNaN(limit) ? measured : limit,
    waiting: Math.max(figures?.waiting ?? 0, figures?.pool ?? 0),
  });
  return (
    <Card title={plan.calculator}>
      <div class="calculator">
        <div class="grid">
          <NumberField
            label={plan.ticketsPerOrder}
            value={perOrder}
            onValue={setPerOrder}
            min={1}
            max={50}
            step={0.1}
          />
          <NumberField label={plan.buyPercent} value={buys} onValue={setBuys} min={1} max={100} />
          <NumberField
            label={plan.visitMinutes}
            value={visitMinutes}
            onValue={setVisit}
            min={1}
            max={60}
          />
          <NumberField
            label={plan.coreBears}
            hint={plan.coreBearsHint}
            value={limit}
            onValue={setLimit}
            min={1}
            required={false}
            placeholder={measured === undefined ? plan.notMeasured : format.number(measured)}
          />
        </div>
        <div class="answer" role="status">
          <p class="big">{fill(plan.answer, { rate: format.number(answer.ratePerMinute) })}</p>
          <p>
            {fill(plan.answerMore, {
              cap: format.number(answer.activeMax),
              time: format.duration(answer.soldOutMs),
              visits: format.number(answer.visits),
            })}
          </p>
          <p class="muted">{answer.boundBy === "capacity" ? plan.boundCore : plan.boundHouse}</p>
          {answer.servedShare < 1 ? (
            <p class="muted">{fill(plan.served, { share: percent(answer.servedShare) })}</p>
          ) : null}
          <button
            type="button"
            disabled={
              free === 0 ||
              (answer.ratePerMinute === room.ratePerMinute && answer.activeMax === room.activeMax)
            }
            onClick={() =>
              onPatch({ ratePerMinute: answer.ratePerMinute, activeMax: answer.activeMax })
            }
          >
            {plan.takeRate}
          </button>
        </div>
      </div>
    </Card>
  );
}
