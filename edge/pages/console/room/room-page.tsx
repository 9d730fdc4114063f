import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import type { RoomPatch } from "../../../../shared/contract/rooms.ts";
import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { serverNow } from "../../kit/clock.ts";
import {
  type Figures,
  patchRoom,
  putRoom,
  type RoomView,
  readFigures,
  readRoom,
} from "../calls/room.ts";
import { readRehearsals, readSale } from "../calls/sale.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { ActDialog } from "../parts/act-dialog.tsx";
import { Said, type Word } from "../parts/field.tsx";
import { usePoll } from "../parts/use-poll.ts";
import { sentenceOf, useWords } from "../words.tsx";
import { timedBrand } from "./brand.ts";
import { Branding } from "./branding.tsx";
import { PreSale } from "./pre-sale.tsx";
import { RateCalculator } from "./rate-calculator.tsx";
import { Schedule } from "./schedule.tsx";
import { SettingsForm } from "./settings-form.tsx";

const LOOK_MS = 5_000;
const NO_HISTORY = 9_000_000_000_000;
type Seen = {
  room: RoomView | undefined;
  figures: Figures | undefined;
  sale: SaleFigures | undefined;
  rehearsed: boolean;
  isRead: boolean;
};

/** What a room is told beforehand. Every change goes by the version that this page has seen. */
export function RoomPage({ session, event }: { session: Session; event: EventView }) {
  const words = useWords();
  const { texts, plan } = words;
  const [seen, setSeen] = useState<Seen>({
    room: undefined,
    figures: undefined,
    sale: undefined,
    rehearsed: true,
    isRead: false,
  });
  const [asked, setAsked] = useState<RoomPatch>();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<Word>();
  const [trouble, setTrouble] = useState<string>();
  const [isElse, setElse] = useState(false);
  const look = async (keep: boolean) => {
    const [room, figures, sale, rehearsals] = await Promise.all([
      readRoom(session, event.id),
      readFigures(session, event.id, NO_HISTORY),
      readSale(session, event.id),
      readRehearsals(session, event.id),
    ]);
    setSeen((before) => {
      const fresh = room.kind === "ok" ? room.data : before.room;
      // What is being edited keeps its version, so that saving it is refused and not written over.
      const changed = keep && before.room !== undefined && fresh?.version !== before.room.version;
      if (changed) setElse(true);
      return {
        room: changed ? before.room : fresh,
        figures: figures.kind === "ok" ? figures.data : before.figures,
        sale: sale.kind === "ok" ? sale.data : before.sale,
        rehearsed:
          rehearsals.kind === "ok"
            ? rehearsals.data.rehearsals.some(({ state }) => state === "ended")
            : before.rehearsed,
        isRead: true,
      };
    });
  };
  usePoll((turn) => look(turn > 0), LOOK_MS, [event.id]);
  const confirm = async (reason: string) => {
    if (!asked || !seen.room) return;
    setBusy(true);
    const reply = await patchRoom(session, seen.room, { ...asked, reason });
    setBusy(false);
    if (reply.kind !== "ok") return setTrouble(sentenceOf(words, reply));
    setAsked(undefined);
    setElse(false);
    setSaid({ text: texts.saved, isTrouble: false });
    await look(false);
  };
  const make = async () => {
    setBusy(true);
    const reply = await putRoom(session, event.id, {
      opensAt: event.saleOpensAt,
      branding: timedBrand({ name: event.name, venue: event.venue }, event),
    });
    setBusy(false);
    if (reply.kind !== "ok") setSaid({ text: sentenceOf(words, reply), isTrouble: true });
    await look(false);
  };
  const ask = (patch: RoomPatch) => {
    setTrouble(undefined);
    setAsked(patch);
  };
  const may = mayAs(session, "operator");
  const { room } = seen;
  if (!seen.isRead) return <p class="empty">{texts.loading}</p>;
  return (
    <div class="room-page">
      <Said said={said} />
      {isElse ? (
        <p class="notice" role="status">
          {plan.changedElse}{" "}
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              setElse(false);
              void look(false);
            }}
          >
            {plan.readAgain}
          </button>
        </p>
      ) : null}
      <PreSale {...{ event, ...seen, now: serverNow() }} />
      {room === undefined ? null : (
        <fieldset disabled={!may} class="plain">
          <RateCalculator
            event={event}
            room={room}
            figures={seen.figures}
            sale={seen.sale}
            onPatch={ask}
          />
        </fieldset>
      )}
      {room === undefined ? (
        <p class="notice">
          {texts.noRoom}{" "}
          {may ? (
            <button type="button" class="small" disabled={busy} onClick={() => void make()}>
              {plan.makeRoom}
            </button>
          ) : null}
        </p>
      ) : (
        <fieldset disabled={!may} class="plain" key={room.version}>
          <SettingsForm room={room} event={event} onPatch={ask} />
          <Schedule room={room} timeZone={event.timeZone} onPatch={ask} />
          <Branding room={room} event={event} onPatch={ask} />
        </fieldset>
      )}
      {asked === undefined ? null : (
        <ActDialog
          title={plan.saveRoom}
          body={plan.saveRoomBody}
          busy={busy}
          trouble={trouble}
          onClose={() => setAsked(undefined)}
          onConfirm={(reason) => void confirm(reason)}
        />
      )}
    </div>
  );
}
