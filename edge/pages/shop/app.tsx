import { useEffect, useMemo, useState } from "preact/hooks";
import { serverNow } from "../kit/clock.ts";
import { fill } from "../kit/i18n.ts";
import { Choose } from "./choose/choose.tsx";
import { Held } from "./held.tsx";
import { clockText, useTimeLeft } from "./parts/countdown.tsx";
import { Say } from "./parts/lines.tsx";
import {
  giveBack,
  holdSeats,
  lookAtSeats,
  makeVisit,
  openVisit,
  orderHeld,
  runOut,
  type Step,
  type Visit,
  type VisitState,
} from "./visit.ts";
import { useWords } from "./words.tsx";

const MAP_MS = 4_000;
const RETRY_MS = 3_000;

/** Opens the visit, and goes on trying while the core is away. */
function useVisit(id: string): { visit: Visit; state: VisitState } {
  const [state, setState] = useState<VisitState>({ step: { kind: "loading" }, busy: false });
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

/** The map stays fresh while somebody chooses and looks. */
function useFreshMap(visit: Visit, isChoosing: boolean): void {
  useEffect(() => {
    if (!isChoosing) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      if (!document.hidden) await lookAtSeats(visit);
      timer = setTimeout(look, MAP_MS * (0.8 + 0.4 * Math.random()));
    };
    void look();
    return () => clearTimeout(timer);
  }, [visit, isChoosing]);
}

export function ShopApp({ event: id }: { event: string }) {
  const { texts, format } = useWords();
  const { visit, state } = useVisit(id);
  const { step, event, map, busy, trouble } = state;
  useFreshMap(visit, step.kind === "choose");
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
      <div class="shop-head">
        <div>
          <h1>{event.name}</h1>
          <p class="muted">
            {event.venue} · {format.dateTime(event.startsAt, event.timeZone)}
          </p>
        </div>
        {step.kind === "choose" ? (
          <p class="left">
            {fill(texts.timeLeft, { time: "" })} <b>{clockText(left)}</b>
          </p>
        ) : null}
      </div>
      {step.kind === "held" ? (
        <Held
          event={event}
          hold={step.hold}
          busy={busy}
          trouble={trouble?.code}
          onOrder={(body) => void orderHeld(visit, body)}
          onRelease={() => void giveBack(visit, step.hold)}
        />
      ) : null}
      {step.kind === "choose" && map ? (
        <Choose
          event={event}
          map={map}
          busy={busy}
          trouble={trouble}
          onHold={(body) => void holdSeats(visit, body)}
        />
      ) : null}
      {step.kind === "choose" && !map ? <p class="muted">{texts.loading[1]}</p> : null}
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
