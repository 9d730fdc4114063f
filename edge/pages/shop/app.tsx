import { useEffect, useMemo, useState } from "preact/hooks";
import { serverNow } from "../kit/clock.ts";
import { Choose } from "./choose/choose.tsx";
import type { Extras } from "./choose/extras.ts";
import { Held } from "./held.tsx";
import { followSeats, keepPresence } from "./live.ts";
import { useTimeLeft, VisitClock } from "./parts/countdown.tsx";
import { Head } from "./parts/head.tsx";
import { Say } from "./parts/lines.tsx";
import {
  askMoreTime,
  forgetTrouble,
  giveBack,
  holdSeats,
  makeVisit,
  openVisit,
  orderHeld,
  runOut,
  type Step,
  type Visit,
  type VisitState,
} from "./visit.ts";
import { useWords } from "./words.ts";

const RETRY_MS = 3_000;

/** Opens the visit, and goes on trying while the core is away. */
function useVisit(id: string): { visit: Visit; state: VisitState } {
  const [state, setState] = useState<VisitState>({
    step: { kind: "loading" },
    busy: false,
    watchers: {},
  });
  const visit = useMemo(() => makeVisit(id, setState), [id]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const open = async () => {
      if (await openVisit(visit)) timer = setTimeout(open, RETRY_MS * (1 + Math.random()));
    };
    void open();
    return () => clearTimeout(timer);
  }, [visit]);
  return { visit, state };
}

/** The plan stays fresh while somebody chooses, and the house knows where they look. */
function useHouse(visit: Visit, isChoosing: boolean) {
  const [live, setLive] = useState(false);
  const [looked, setLooked] = useState<string>();
  useEffect(() => (isChoosing ? followSeats(visit, setLive) : undefined), [visit, isChoosing]);
  useEffect(
    () => (isChoosing && looked !== undefined ? keepPresence(visit, looked) : undefined),
    [visit, isChoosing, looked],
  );
  return { live, setLooked };
}

export function ShopApp({ event: id }: { event: string }) {
  const { texts, format } = useWords();
  const { visit, state } = useVisit(id);
  const { step, event, map, house, busy, trouble } = state;
  const [extras, setExtras] = useState<Extras>([]);
  const { live, setLooked } = useHouse(visit, step.kind === "choose");
  const endsAt = step.kind === "held" ? step.hold.expiresAt : state.admission?.endsAt;
  const left = useTimeLeft(endsAt);
  const isOut = endsAt !== undefined && left === 0;
  useEffect(() => {
    if (isOut) void runOut(visit);
  }, [isOut, step, busy]);
  useEffect(() => scrollTo(0, 0), [step.kind]);
  useEffect(() => {
    document.title = `${event?.name ?? id} · Sıra`;
  }, [event]);
  if (step.kind === "loading") return <Say say={texts.loading} />;
  if (step.kind === "stop") return <Stopped visit={visit} step={step} />;
  if (!event) return null;
  return (
    <>
      <Head
        title={event.name}
        line={`${event.venue} · ${format.dateTime(event.startsAt, event.timeZone)}`}
        event={event}
      >
        {step.kind === "choose" ? <VisitClock endsAt={state.admission?.endsAt} /> : null}
      </Head>
      {step.kind === "held" ? (
        <Held
          event={event}
          hold={step.hold}
          busy={busy}
          trouble={trouble?.code}
          more={{
            onAsk: () => void askMoreTime(visit, step.hold),
            busy: busy || step.hold.extended === true,
            said: state.moreTime,
          }}
          onOrder={(body) => void orderHeld(visit, body)}
          onRelease={() => void giveBack(visit, step.hold)}
        />
      ) : null}
      {step.kind === "choose" && map && house ? (
        <Choose
          event={event}
          map={map}
          house={house}
          watchers={state.watchers}
          live={live}
          busy={busy}
          trouble={trouble}
          extras={extras}
          onExtras={setExtras}
          onLook={setLooked}
          onForget={() => forgetTrouble(visit)}
          onHold={(body) => void holdSeats(visit, body)}
        />
      ) : null}
      {step.kind === "choose" && !(map && house) ? (
        <div class="skeleton" role="status">
          <p class="muted">{texts.loading[1]}</p>
        </div>
      ) : null}
    </>
  );
}

function Stopped({ visit, step }: { visit: Visit; step: Extract<Step, { kind: "stop" }> }) {
  const { texts } = useWords();
  const { why } = step;
  const mayChoose = why === "holdLost" && (visit.state.admission?.endsAt ?? 0) > serverNow();
  const isUnknown = why === "unknown";
  return (
    <Say say={texts[why]}>
      {mayChoose ? (
        <button type="button" onClick={() => visit.tell({ step: { kind: "choose" } })}>
          {texts.chooseAgain}
        </button>
      ) : (
        <a class="button" href={isUnknown ? "/" : `/e/${encodeURIComponent(visit.id)}`}>
          {isUnknown ? texts.home : texts.toLine}
        </a>
      )}
    </Say>
  );
}
