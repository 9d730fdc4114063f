import type { EventView } from "../../../../shared/contract/events.ts";
import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import type { Figures, RoomView } from "../calls/room.ts";
import { Card } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import { preSaleCheck } from "./findings.ts";

type Props = {
  event: EventView;
  room: RoomView | undefined;
  figures: Figures | undefined;
  sale: SaleFigures | undefined;
  rehearsed: boolean;
  now: number;
};

/** Whether the sale may begin, and what is still to be done. */
export function PreSale(props: Props) {
  const { plan, format } = useWords();
  const found = preSaleCheck(props);
  const bad = found.filter(({ weight }) => weight === "bad").length;
  return (
    <Card title={plan.check} kind={bad > 0 ? "check not-ready" : "check ready"}>
      <p class="big">{bad === 0 ? plan.ready : format.plural(plan.notReady, bad)}</p>
      <ul class="findings">
        {found.map(({ finding, weight }) => (
          <li key={finding} class={`verdict-${weight}`} data-finding={finding}>
            <i aria-hidden="true">{weight === "bad" ? "×" : "!"}</i>
            <span>{plan.findings[finding]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
