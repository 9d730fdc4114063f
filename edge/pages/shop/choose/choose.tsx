import { useMemo, useState } from "preact/hooks";
import type { EventView, SeatMap } from "../../../../shared/contract/events.ts";
import type { HoldRequest } from "../../../../shared/contract/holds.ts";
import { lacksWheelchair, priceOf } from "../house/choice.ts";
import type { House, Seat, Section } from "../house/house.ts";
import { SeatMapView } from "../map/seat-map.tsx";
import { priceTag, type Units } from "../parts/price-tag.ts";
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

/** What is in the middle of the plan: a block, what it has left, and who else looks at it. */
function Here(props: { live: boolean; here: Section | undefined; watching: number }) {
  const { texts, format } = useWords();
  const { live, here, watching } = props;
  const left =
    here && here.available > 0 ? format.plural(texts.left, here.available) : texts.soldOut;
  const words = here
    ? [here.name, left, ...(watching > 0 ? [format.plural(texts.looking, watching)] : [])]
    : [live ? texts.live : texts.notLive];
  return (
    <p class="here" aria-live="off">
      <i class={live ? "pulse-dot" : "pulse-dot off"} />
      {words.join(" · ")}
    </p>
  );
}

/** Seats one by one: on the plan or in the list. */
function Picking(props: Part & { onlyZone: string | undefined }) {
  const { house, watchers, live, tab, choice, zones, onlyZone } = props;
  const { describe } = seatWords(useWords(), house, zones);
  const [looked, setLooked] = useState<string>();
  const zoneIndex = useMemo(() => new Map(zones.map(({ id, index }) => [id, index])), [zones]);
  const onLook = (section: Section | undefined) => {
    setLooked(section?.id);
    props.onLook(section?.id);
  };
  const common = {
    house,
    onlyZone,
    watchers,
    chosen: choice.chosen,
    describe: (seat: Seat) => describe(seat, choice.chosen.has(seat.id)),
    onToggle: choice.toggle,
    onLook,
  };
  if (tab === "list") return <SeatList {...common} zones={zones} />;
  return (
    <>
      <SeatMapView {...common} zoneIndex={zoneIndex} lost={choice.lost} offered={choice.offered} />
      <Here
        live={live}
        here={house.sections.find(({ id }) => id === looked)}
        watching={looked === undefined ? 0 : (watchers[looked] ?? 0)}
      />
    </>
  );
}

function Places(props: Part) {
  const { event, house, tab, choice, zones, busy, extras, onHold } = props;
  const words = useWords();
  const [onlyZone, setOnlyZone] = useState<string>();
  const prices = useMemo(() => new Map(zones.map(({ id, price }) => [id, price])), [zones]);
  const totalOf = (units: readonly Units[], amount: number) =>
    priceTag(event, { units, goods: amount + extrasAmount(extras, event) }).total;
  const isPicking = tab === "map" || tab === "list";
  const seats = [...choice.chosen.values()];
  const common = { zones, perOrder: event.limits.perOrder, busy, onHold };
  return (
    <>
      {isPicking ? <Prices zones={zones} onlyZone={onlyZone} onOnly={setOnlyZone} /> : null}
      <div class="place">
        {isPicking ? <Picking key={tab} {...props} onlyZone={onlyZone} /> : null}
        {tab === "best" ? <BestSeats {...common} house={house} /> : null}
        {tab === "standing" ? <Standing {...common} totalOf={totalOf} /> : null}
      </div>
      <aside class="side">
        {seats.length > 0 && isPicking ? (
          <ChosenBar
            seats={seats}
            total={totalOf(
              seats.map(({ zone }) => ({ zone, quantity: 1 })),
              priceOf(choice.choice, house, prices),
            )}
            extras={extras.reduce((sum, { quantity }) => sum + quantity, 0)}
            busy={busy}
            hint={lacksWheelchair(seats) ? words.texts.companionAlone : undefined}
            nameOf={seatWords(words, house, zones).nameOf}
            onClear={choice.clear}
            onDrop={choice.toggle}
            onHold={() => onHold({ seats: [...choice.choice] })}
          />
        ) : null}
        {tab === "map" ? <Shapes /> : null}
        <ExtrasPanel event={event} extras={extras} onChange={props.onExtras} />
      </aside>
    </>
  );
}
