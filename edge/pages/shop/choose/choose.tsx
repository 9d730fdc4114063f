import { useMemo, useState } from "preact/hooks";
import type { EventView, SeatMap } from "../../../../shared/contract/events.ts";
import type { HoldRequest } from "../../../../shared/contract/holds.ts";
import { lacksWheelchair, priceOf } from "../house/choice.ts";
import type { House, Section } from "../house/house.ts";
import { SeatMapView } from "../map/seat-map.tsx";
import { priceTag } from "../parts/price-tag.ts";
import { Trouble } from "../parts/trouble.tsx";
import type { HoldTrouble } from "../visit.ts";
import { useWords } from "../words.ts";
import { BestSeats } from "./best.tsx";
import { ChosenBar } from "./chosen-bar.tsx";
import { type Extras, extrasAmount, leaveOut, withExtras } from "./extras.ts";
import { ExtrasPanel } from "./extras-panel.tsx";
import { JustTaken } from "./just-taken.tsx";
import { Prices, Shapes } from "./prices.tsx";
import { SeatList } from "./seat-list.tsx";
import { Standing } from "./standing.tsx";
import { useChoice } from "./use-choice.ts";
import { seatWords } from "./words.ts";
import { zonesOf } from "./zones.ts";

type Tab = "map" | "list" | "best" | "standing";
type Props = {
  event: EventView;
  map: SeatMap;
  house: House;
  watchers: Readonly<Record<string, number>>;
  live: boolean;
  busy: boolean;
  trouble: HoldTrouble | undefined;
  extras: Extras;
  onExtras: (extras: Extras) => void;
  onLook: (section: string | undefined) => void;
  onForget: () => void;
  onHold: (body: HoldRequest) => void;
};

type Part = Props & {
  tab: Tab;
  choice: ReturnType<typeof useChoice>;
  zones: ReturnType<typeof zonesOf>;
};

export function Choose(props: Props) {
  const { event, map, house, trouble, busy } = props;
  const { texts, format } = useWords();
  const hasSeats = house.sections.length > 0;
  const hasStanding = map.zones.some((zone) => zone.kind === "standing");
  const [tab, setTab] = useState<Tab>(hasSeats ? "map" : "standing");
  const zones = useMemo(() => zonesOf(map, house), [map, house]);
  const choice = useChoice({
    house,
    perOrder: event.limits.perOrder,
    busy,
    trouble,
    onForget: props.onForget,
  });
  const hold = (body: HoldRequest) => props.onHold(withExtras(body, props.extras));
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
  const open = (next: Tab) => {
    setTab(next);
    props.onLook(undefined);
  };
  const leave = (id: string) => {
    props.onExtras(leaveOut(props.extras, id));
    props.onForget();
  };
  return (
    <div class="choose" data-tab={tab}>
      <nav class="tabs" aria-label={texts.tabs}>
        {tabs.map(([id, text]) => (
          <button key={id} type="button" aria-pressed={tab === id} onClick={() => open(id)}>
            {text}
          </button>
        ))}
      </nav>
      <div class="say">
        {choice.lost.length > 0 ? (
          <JustTaken
            house={house}
            lost={choice.lost}
            groups={choice.groups}
            busy={busy}
            onTake={(seats) => (choice.isWhole ? hold({ seats: [...seats] }) : choice.take(seats))}
          />
        ) : (
          <Trouble
            code={trouble?.code}
            event={event.id}
            onLeaveOut={trouble?.addon === undefined ? undefined : () => leave(trouble.addon ?? "")}
          />
        )}
        {choice.limited ? (
          <p class="notice" role="alert">
            {format.plural(texts.limitReached, event.limits.perOrder)}
          </p>
        ) : null}
      </div>
      <Places {...props} tab={tab} choice={choice} zones={zones} onHold={hold} />
    </div>
  );
}

function Places(props: Part) {
  const { event, house, watchers, live, tab, choice, zones, busy, extras, onHold } = props;
  const words = useWords();
  const { texts, format } = words;
  const [onlyZone, setOnlyZone] = useState<string>();
  const [looked, setLooked] = useState<Section>();
  const { nameOf, describe } = seatWords(words, house, zones);
  const zoneIndex = useMemo(() => new Map(zones.map(({ id, index }) => [id, index])), [zones]);
  const prices = useMemo(() => new Map(zones.map(({ id, price }) => [id, price])), [zones]);
  const onLook = (section: Section | undefined) => {
    setLooked(section);
    props.onLook(section?.id);
  };
  const extrasCost = extrasAmount(extras, event);
  const totalOf = (units: number, amount: number) =>
    priceTag(event, { units, goods: amount + extrasCost }).total;
  const sayOf = (seat: Parameters<typeof nameOf>[0]) => describe(seat, choice.chosen.has(seat.id));
  const isPicking = tab === "map" || tab === "list";
  const seats = [...choice.chosen.values()];
  const here = looked && house.sections.find(({ id }) => id === looked.id);
  const watching = here ? (watchers[here.id] ?? 0) : 0;
  return (
    <>
      {isPicking ? (
        <aside class="side">
          <Prices zones={zones} onlyZone={onlyZone} onOnly={setOnlyZone} />
        </aside>
      ) : null}
      <div class="place">
        {tab === "map" ? (
          <>
            <SeatMapView
              house={house}
              zoneIndex={zoneIndex}
              onlyZone={onlyZone}
              chosen={choice.chosen}
              lost={choice.lost}
              offered={choice.offered}
              watchers={watchers}
              describe={sayOf}
              onToggle={choice.toggle}
              onLook={onLook}
            />
            <p class="here" aria-live="off">
              <i class={live ? "pulse-dot" : "pulse-dot off"} />
              {here
                ? [
                    here.name,
                    here.available === 0
                      ? texts.soldOut
                      : format.plural(texts.left, here.available),
                    ...(watching > 0 ? [format.plural(texts.looking, watching)] : []),
                  ].join(" · ")
                : live
                  ? texts.live
                  : texts.notLive}
            </p>
          </>
        ) : null}
        {tab === "list" ? (
          <SeatList
            house={house}
            onlyZone={onlyZone}
            watchers={watchers}
            chosen={choice.chosen}
            describe={sayOf}
            onToggle={choice.toggle}
            onLook={onLook}
          />
        ) : null}
        {tab === "best" ? (
          <BestSeats
            house={house}
            zones={zones}
            perOrder={event.limits.perOrder}
            busy={busy}
            onHold={onHold}
          />
        ) : null}
        {tab === "standing" ? (
          <Standing
            zones={zones}
            perOrder={event.limits.perOrder}
            busy={busy}
            totalOf={totalOf}
            onHold={onHold}
          />
        ) : null}
      </div>
      {tab === "map" ? <Shapes /> : null}
      <ExtrasPanel event={event} extras={extras} onChange={props.onExtras} />
      {seats.length > 0 && isPicking ? (
        <ChosenBar
          seats={seats}
          total={totalOf(seats.length, priceOf(choice.choice, house, prices))}
          extras={extras.reduce((sum, { quantity }) => sum + quantity, 0)}
          busy={busy}
          hint={lacksWheelchair(seats) ? texts.companionAlone : undefined}
          nameOf={nameOf}
          onClear={choice.clear}
          onDrop={choice.toggle}
          onHold={() => onHold({ seats: [...choice.choice] })}
        />
      ) : null}
    </>
  );
}
