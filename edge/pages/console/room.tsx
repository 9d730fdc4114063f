import { useEffect, useState } from "preact/hooks";
import type { EventView } from "../../../shared/contract/events.ts";
import type { RoomActionName, RoomPatch } from "../../../shared/contract/rooms.ts";
import type { Reply } from "../kit/api.ts";
import { learnTime } from "../kit/clock.ts";
import { formatFor } from "../kit/i18n.ts";
import { problems } from "../kit/problems/en.ts";
import { codeOf } from "../shop/parts/failure.ts";
import {
  act,
  type Figures,
  type LogEntry,
  patchRoom,
  type RoomView,
  readFigures,
  readLog,
  readRoom,
  type Session,
} from "./calls.ts";
import { Controls } from "./controls.tsx";
import { Age, LiveFigures } from "./figures.tsx";
import { AuditLog } from "./log.tsx";
import { Orders } from "./orders.tsx";
import { texts } from "./texts.ts";

const LOOK_MS = 1_000;
/** Settings and log change by hand, so they are looked at more rarely. */
const SLOW_LOOKS = 4;
const format = formatFor("en");

type Props = { session: Session; event: EventView; onSignedOut: () => void };

export function Room({ session, event, onSignedOut }: Props) {
  const [room, setRoom] = useState<RoomView>();
  const [figures, setFigures] = useState<Figures>();
  const [entries, setEntries] = useState<LogEntry[]>([]);
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ text: string; isTrouble: boolean }>();
  const { id } = event;

  const look = async (isSlow: boolean): Promise<void> => {
    const live = await readFigures(session, id);
    if (live.kind === "ok") {
      learnTime(live.data.at);
      setFigures(live.data);
    } else if (live.kind === "problem" && live.status === 401) return onSignedOut();
    if (!isSlow) return;
    const [view, log] = await Promise.all([readRoom(session, id), readLog(session, id)]);
    setMissing(view.kind === "problem" && view.status === 404);
    if (view.kind === "ok") setRoom(view.data);
    if (log.kind === "ok") setEntries(log.data.entries);
  };
  useEffect(() => {
    setRoom(undefined);
    setFigures(undefined);
    setEntries([]);
    setSaid(undefined);
    let stopped = false;
    let looks = 0;
    let timer: ReturnType<typeof setTimeout>;
    const loop = async () => {
      if (!document.hidden) await look(looks % SLOW_LOOKS === 0);
      looks += 1;
      if (!stopped) timer = setTimeout(loop, LOOK_MS);
    };
    void loop();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [id]);

  /** Whatever came of a change, the room is read again: somebody else may have changed it too. */
  const settle = async (reply: Reply<RoomView>): Promise<boolean> => {
    setBusy(false);
    const isDone = reply.kind === "ok";
    if (reply.kind === "ok") setSaid({ text: texts.saved, isTrouble: false });
    else {
      const detail = reply.kind === "problem" ? reply.problem.detail : undefined;
      setSaid({
        text: [problems[codeOf(reply)], detail].filter(Boolean).join(" "),
        isTrouble: true,
      });
    }
    await look(true);
    return isDone;
  };
  const patch = async (change: RoomPatch) => {
    if (!room) return;
    setBusy(true);
    await settle(await patchRoom(session, room, change));
  };
  const doAct = async (action: RoomActionName, input: { reason: string; place: string }) => {
    setBusy(true);
    const { reason, place } = input;
    return settle(
      await act(session, id, { action, reason, ...(action === "admit" ? { place } : {}) }),
    );
  };

  const phase = figures?.phase ?? room?.phase;
  return (
    <div class="room">
      <header class="room-head">
        <div>
          <h1>{event.name}</h1>
          <p class="muted">
            {event.venue} · {format.dateTime(event.startsAt, event.timeZone)} ·{" "}
            <a href={`/e/${id}`}>{texts.queuePage}</a>
          </p>
        </div>
        {phase === undefined ? null : <p class={`phase phase-${phase}`}>{texts.phases[phase]}</p>}
        {figures ? <Age at={figures.at} /> : null}
      </header>
      {room?.reason ? <p class="notice">{room.reason}</p> : null}
      {said === undefined ? null : (
        <p class={said.isTrouble ? "notice" : "done"} role="status">
          {said.text}
        </p>
      )}
      {missing ? <p class="notice">{texts.noRoom}</p> : null}
      {figures ? <LiveFigures figures={figures} /> : null}
      {room ? (
        <Controls
          room={room}
          figures={figures}
          busy={busy}
          onPatch={(change) => void patch(change)}
          onAct={doAct}
        />
      ) : null}
      <div class="two">
        <Orders session={session} event={id} />
        <AuditLog entries={entries} />
      </div>
    </div>
  );
}
