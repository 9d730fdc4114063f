import { useEffect, useRef, useState } from "preact/hooks";
import type { EventView, SeatMap } from "../../../shared/contract/events.ts";
import type { HoldRequest, HoldView } from "../../../shared/contract/holds.ts";
import type { OrderRequest } from "../../../shared/contract/orders.ts";
import { serverNow } from "../kit/clock.ts";
import { type Admission, holdKey, readAdmission } from "../kit/core.ts";
import { fill } from "../kit/i18n.ts";
import { load, remove } from "../kit/store.ts";
import {
  type KeptHold,
  makeHold,
  makeOrder,
  readEvent,
  readHold,
  readSeats,
  releaseHold,
} from "./calls.ts";
import { Choose, type HoldTrouble } from "./choose/choose.tsx";
import { Held } from "./held.tsx";
import { clockText, useTimeLeft } from "./parts/countdown.tsx";
import { codeOf, type TroubleCode } from "./parts/failure.ts";
import { Say } from "./parts/lines.tsx";
import { useWords } from "./words.tsx";

type Step =
  | { kind: "loading" }
  | { kind: "stop"; why: "noAdmission" | "ended" | "unknown" | "down" | "holdLost" }
  | { kind: "choose" }
  | { kind: "held"; hold: HoldView };

const MAP_MS = 4_000;
const RETRY_MS = 3_000;
/** After these the admission is of no use any more, and only the line helps. */
const ENDED: readonly TroubleCode[] = [
  "admission_invalid",
  "admission_closed",
  "admission_required",
];

const texts = (fact: unknown): string[] =>
  Array.isArray(fact) ? fact.filter((item) => typeof item === "string") : [];
/** `alternatives` are lists of seat ids, or objects that hold one. */
const groups = (fact: unknown): string[][] =>
  Array.isArray(fact)
    ? fact
        .map((item) =>
          typeof item === "string" ? [item] : texts(Array.isArray(item) ? item : item?.seats),
        )
        .filter((group) => group.length > 0)
    : [];

export function ShopApp({ event: id }: { event: string }) {
  const words = useWords();
  const [step, setStep] = useState<Step>({ kind: "loading" });
  const [event, setEvent] = useState<EventView>();
  const [map, setMap] = useState<SeatMap>();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<HoldTrouble>();
  const admission = useRef<Admission | undefined>(undefined);
  const pressed = useRef(false);

  const open = async () => {
    const reply = await readEvent(id);
    if (reply.kind !== "ok") {
      const isUnknown = reply.kind === "problem" && reply.status === 404;
      setStep({ kind: "stop", why: isUnknown ? "unknown" : "down" });
      if (!isUnknown) setTimeout(open, RETRY_MS * (1 + Math.random()));
      return;
    }
    setEvent(reply.data);
    const mine = await readAdmission(id);
    admission.current = mine;
    if (!mine) {
      setStep({ kind: "stop", why: "noAdmission" });
      return;
    }
    const kept = await load<KeptHold>(holdKey(id));
    if (kept?.order !== undefined) {
      // The hold has become an order: paying, and what came of it, is that page's business.
      location.replace(`/orders/${encodeURIComponent(kept.order)}`);
      return;
    }
    if (kept) {
      const held = await readHold(kept.id, mine.credential);
      if (held.kind === "ok" && Date.parse(held.data.expiresAt) > serverNow()) {
        setStep({ kind: "held", hold: held.data });
        return;
      }
      if (held.kind !== "network") await remove(holdKey(id));
    }
    setStep(mine.endsAt <= serverNow() ? { kind: "stop", why: "ended" } : { kind: "choose" });
  };
  useEffect(() => {
    void open();
  }, [id]);

  const isChoosing = step.kind === "choose";
  useEffect(() => {
    if (!isChoosing) return;
    let timer: ReturnType<typeof setTimeout>;
    let stopped = false;
    const look = async () => {
      if (!document.hidden) {
        const reply = await readSeats(id);
        if (stopped) return;
        if (reply.kind === "ok")
          setMap((old) => (old?.version === reply.data.version ? old : reply.data));
      }
      timer = setTimeout(look, MAP_MS * (0.8 + 0.4 * Math.random()));
    };
    void look();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [isChoosing, id]);

  /** One call at a time, however often and fast somebody presses. */
  const once = async (work: (mine: Admission) => Promise<void>) => {
    const mine = admission.current;
    if (!mine || pressed.current) return;
    pressed.current = true;
    setBusy(true);
    setTrouble(undefined);
    await work(mine);
    pressed.current = false;
    setBusy(false);
  };
  const hold = (body: HoldRequest) =>
    once(async (mine) => {
      const reply = await makeHold(id, mine.credential, body);
      if (reply.kind === "ok") {
        setStep({ kind: "held", hold: reply.data });
        scrollTo(0, 0);
        return;
      }
      const code = codeOf(reply);
      if (ENDED.includes(code)) {
        setStep({ kind: "stop", why: "ended" });
        return;
      }
      const facts = reply.kind === "problem" ? reply.problem : undefined;
      const existing = facts?.["hold"];
      if (code === "hold_exists" && typeof existing === "string") {
        const other = await readHold(existing, mine.credential);
        if (other.kind === "ok") setStep({ kind: "held", hold: other.data });
      }
      setTrouble({
        code,
        unavailable: texts(facts?.["unavailable"]),
        alternatives: groups(facts?.["alternatives"]),
      });
      const seats = await readSeats(id);
      if (seats.kind === "ok") setMap(seats.data);
    });
  const order = (body: OrderRequest) =>
    once(async (mine) => {
      const reply = await makeOrder(id, mine.credential, body);
      if (reply.kind === "ok") location.assign(`/orders/${encodeURIComponent(reply.data.id)}`);
      else setTrouble({ code: codeOf(reply), unavailable: [], alternatives: [] });
    });
  const release = (held: HoldView) =>
    once(async (mine) => {
      const reply = await releaseHold(id, held.id, mine.credential);
      if (reply.kind === "ok" || (reply.kind === "problem" && reply.status === 404))
        setStep({ kind: "choose" });
      else setTrouble({ code: codeOf(reply), unavailable: [], alternatives: [] });
    });

  const endsAt = step.kind === "held" ? step.hold.expiresAt : admission.current?.endsAt;
  const left = useTimeLeft(endsAt);
  useEffect(() => {
    if (left > 0 || endsAt === undefined) return;
    if (step.kind === "held" && !busy) {
      void remove(holdKey(id));
      setStep({ kind: "stop", why: "holdLost" });
    }
    if (step.kind === "choose" && !busy) setStep({ kind: "stop", why: "ended" });
  }, [left, step, busy]);

  const { texts: say, format } = words;
  const line = `/e/${encodeURIComponent(id)}`;
  if (step.kind === "loading") return <Say say={say.loading} />;
  if (step.kind === "stop") {
    const isLost = step.why === "holdLost" && (admission.current?.endsAt ?? 0) > serverNow();
    return (
      <Say say={say[step.why]}>
        {isLost ? (
          <button type="button" onClick={() => setStep({ kind: "choose" })}>
            {say.chooseAgain}
          </button>
        ) : (
          <a class="button" href={step.why === "unknown" ? "/" : line}>
            {step.why === "unknown" ? say.home : say.toLine}
          </a>
        )}
      </Say>
    );
  }
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
            {fill(say.timeLeft, { time: "" })} <b>{clockText(left)}</b>
          </p>
        ) : null}
      </div>
      {step.kind === "held" ? (
        <Held
          event={event}
          hold={step.hold}
          busy={busy}
          trouble={trouble?.code}
          onOrder={order}
          onRelease={() => release(step.hold)}
        />
      ) : null}
      {step.kind === "choose" && map ? (
        <Choose event={event} map={map} busy={busy} trouble={trouble} onHold={hold} />
      ) : null}
      {step.kind === "choose" && !map ? <p class="muted">{say.loading[1]}</p> : null}
    </>
  );
}
