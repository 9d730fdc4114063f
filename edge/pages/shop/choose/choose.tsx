import { useMemo, useState } from "preact/hooks";
import type { EventView, SeatMap } from "../../../../shared/contract/events.ts";
import type { HoldRequest } from "../../../../shared/contract/holds.ts";
import type { Money } from "../../../../shared/money.ts";
import { fill } from "../../kit/i18n.ts";
import { dropTaken, priceOf, toggleSeat } from "../house/choice.ts";
import { type House, planHouse, type Seat } from "../house/house.ts";
import { SeatMapView } from "../map/seat-map.tsx";
import { Trouble } from "../parts/trouble.tsx";
import type { HoldTrouble } from "../visit.ts";
import { useWords } from "../words.tsx";
import { BestSeats } from "./best.tsx";
import { ChosenBar } from "./chosen-bar.tsx";
import { Legend } from "./legend.tsx";
import { SeatList } from "./seat-list.tsx";
import { Standing } from "./standing.tsx";

type Tab = "map" | "list" | "best" | "standing";
type Props = {
  event: EventView;
  map: SeatMap;
  busy: boolean;
  trouble: HoldTrouble | undefined;
  onHold: (body: HoldRequest) => void;
};

/** Puts a seat in words: where it is, what it costs, whether it can be had. */
function useDescribe(
  prices: ReadonlyMap<string, Money>,
  chosen: ReadonlySet<string>,
  house: House,
  zones: ReadonlyMap<string, string>,
) {
  const { texts, format } = useWords();
  return (seat: Seat): string => {
    const section = house.sections.find(({ id }) => id === seat.section)?.name ?? seat.section;
    const price = prices.get(seat.zone);
    const state = chosen.has(seat.id) ? texts.stateChosen : texts[`state_${seat.state}`];
    const kind = seat.accessible ? texts.accessible : seat.companion ? texts.companion : undefined;
    return [
      section,
      fill(texts.row, { row: seat.row }),
      fill(texts.seatNumber, { number: String(seat.number) }),
      zones.get(seat.zone),
      price ? format.money(price) : undefined,
      kind,
      state,
    ]
      .filter((part) => part !== undefined)
      .join(", ");
  };
}

export function Choose({ event, map, busy, trouble, onHold }: Props) {
  const { texts, format } = useWords();
  const house = useMemo(() => planHouse(map), [map]);
  const hasSeats = house.sections.length > 0;
  const hasStanding = map.zones.some((zone) => zone.kind === "standing");
  const [tab, setTab] = useState<Tab>(hasSeats ? "map" : "standing");
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [limited, setLimited] = useState(false);
  const { choice, taken } = dropTaken(picked, house);
  const chosen = useMemo(() => new Set(choice), [choice]);
  const takenIds = useMemo(
    () => new Set([...taken.map(({ id }) => id), ...(trouble?.unavailable ?? [])]),
    [taken, trouble],
  );
  const prices = useMemo(() => new Map(map.zones.map(({ id, price }) => [id, price])), [map]);
  const names = useMemo(() => new Map(map.zones.map(({ id, name }) => [id, name])), [map]);
  const zoneIndex = useMemo(() => new Map(map.zones.map(({ id }, i) => [id, i])), [map]);
  const describe = useDescribe(prices, chosen, house, names);
  const onToggle = (seat: Seat) => {
    const next = toggleSeat(choice, seat, event.limits.perOrder);
    setLimited(next.refused === "limit");
    setPicked(next.choice);
  };
  const tabs: [Tab, string][] = [
    ...(hasSeats
      ? ([
          ["map", texts.tabMap],
          ["best", texts.tabBest],
          ["list", texts.tabList],
        ] as [Tab, string][])
      : []),
    ...(hasStanding ? ([["standing", texts.tabStanding]] as [Tab, string][]) : []),
  ];
  const lost = trouble?.unavailable ?? [];
  const named = lost.map((id) => house.byId.get(id)).filter((seat) => seat !== undefined);
  return (
    <div class="choose" data-tab={tab}>
      <nav class="tabs" aria-label={texts.tabs}>
        {tabs.map(([id, text]) => (
          <button key={id} type="button" aria-pressed={tab === id} onClick={() => setTab(id)}>
            {text}
          </button>
        ))}
      </nav>
      <div class="place">
        {named.length === 0 ? <Trouble code={trouble?.code} /> : null}
        {named.length > 0 ? (
          <div class="notice" role="alert">
            <p>
              {fill(texts.justTaken, {
                seats: named.map((seat) => `${seat.section} ${seat.row}/${seat.number}`).join(", "),
              })}
            </p>
            {(trouble?.alternatives ?? []).length > 0 ? <p>{texts.tryInstead}</p> : null}
            <div class="actions">
              {(trouble?.alternatives ?? []).map((seats) => (
                <button
                  key={seats.join()}
                  type="button"
                  class="quiet"
                  disabled={busy}
                  onClick={() => onHold({ seats })}
                >
                  {seats.join(" + ")}
                </button>
              ))}
            </div>
          </div>
        ) : null}
        {limited ? (
          <p class="notice" role="alert">
            {format.plural(texts.limitReached, event.limits.perOrder)}
          </p>
        ) : null}
        {tab === "map" ? (
          <SeatMapView
            house={house}
            zoneIndex={zoneIndex}
            chosen={chosen}
            taken={takenIds}
            describe={describe}
            onToggle={onToggle}
          />
        ) : null}
        {tab === "list" ? (
          <SeatList house={house} chosen={chosen} describe={describe} onToggle={onToggle} />
        ) : null}
        {tab === "best" ? (
          <BestSeats map={map} perOrder={event.limits.perOrder} busy={busy} onHold={onHold} />
        ) : null}
        {tab === "standing" ? (
          <Standing map={map} perOrder={event.limits.perOrder} busy={busy} onHold={onHold} />
        ) : null}
      </div>
      <Legend map={map} zoneIndex={zoneIndex} withStates={tab === "map"} />
      {choice.length > 0 && (tab === "map" || tab === "list") ? (
        <ChosenBar
          seats={choice.map((id) => house.byId.get(id)).filter((seat) => seat !== undefined)}
          amount={{ amount: priceOf(choice, house, prices), currency: event.currency }}
          busy={busy}
          onClear={() => setPicked([])}
          onDrop={onToggle}
          onHold={() => onHold({ seats: [...choice] })}
        />
      ) : null}
    </div>
  );
}
