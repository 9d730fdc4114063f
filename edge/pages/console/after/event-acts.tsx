import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import type { EventAct } from "../../../../shared/contract/sales.ts";
import { fill } from "../../kit/i18n.ts";
import { act } from "../calls/room.ts";
import { cancelEvent, postponeEvent, readActs } from "../calls/sale.ts";
import type { Session } from "../calls/session.ts";
import { tellTime } from "../event/save.ts";
import { isoOf } from "../event/zone-time.ts";
import { ActDialog } from "../parts/act-dialog.tsx";
import { Card, Said, TextField, type Word } from "../parts/field.tsx";
import { usePoll } from "../parts/use-poll.ts";
import { sentenceOf, useWords } from "../words.tsx";

const LOOK_MS = 3_000;
type Props = {
  session: Session;
  event: EventView;
  may: boolean;
  onChanged: () => Promise<unknown>;
};

/** Calling off and moving: one act, and everything that follows from it by itself. */
export function EventActs({ session, event, may, onChanged }: Props) {
  const words = useWords();
  const { texts } = words;
  const [acts, setActs] = useState<readonly EventAct[]>([]);
  const [asked, setAsked] = useState<{ kind: "cancel" | "postpone"; key: string }>();
  const [startsAt, setStartsAt] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [said, setSaid] = useState<Word>();
  const look = async () => {
    const reply = await readActs(session, event.id);
    if (reply.kind === "ok") setActs(reply.data.acts);
  };
  usePoll(look, LOOK_MS, [event.id]);
  const confirm = async (reason: string) => {
    if (!asked) return;
    const iso = isoOf(startsAt, event.timeZone);
    if (asked.kind === "postpone" && iso === undefined) return setTrouble(texts.badTime);
    setBusy(true);
    const { key } = asked;
    const reply =
      asked.kind === "cancel"
        ? await cancelEvent(session, event.id, { key, reason })
        : await postponeEvent(session, event.id, { key, reason, startsAt: iso ?? "" });
    // Nobody is let in to an event that is off; a room that is closed already stays so.
    if (reply.kind === "ok" && asked.kind === "cancel")
      await act(session, event.id, { action: "close", reason });
    if (reply.kind === "ok" && iso !== undefined && asked.kind === "postpone")
      await tellTime(session, event.id, { startsAt: iso, timeZone: event.timeZone, reason });
    setBusy(false);
    if (reply.kind !== "ok") return setTrouble(sentenceOf(words, reply));
    setAsked(undefined);
    setSaid({ text: asked.kind === "cancel" ? texts.isOff : texts.isMoved, isTrouble: false });
    await Promise.all([look(), onChanged()]);
  };
  const ask = (kind: "cancel" | "postpone") => {
    setTrouble(undefined);
    setAsked({ kind, key: crypto.randomUUID() });
  };
  const isOff = acts.some(({ kind }) => kind === "cancelled");
  return (
    <Card title={texts.eventActs}>
      <Said said={said} />
      <ul class="rows">
        {acts.map((each) => (
          <Progress key={each.id} act={each} />
        ))}
      </ul>
      {may && !isOff ? (
        <div class="actions">
          <button type="button" class="quiet" onClick={() => ask("postpone")}>
            {texts.postpone}
          </button>
          <button type="button" class="quiet grave-line" onClick={() => ask("cancel")}>
            {texts.cancelEvent}
          </button>
        </div>
      ) : null}
      {asked ? (
        <ActDialog
          title={asked.kind === "cancel" ? texts.cancelEvent : texts.postpone}
          body={asked.kind === "cancel" ? texts.cancelBody : texts.postponeBody}
          grave={asked.kind === "cancel"}
          busy={busy}
          trouble={trouble}
          onClose={() => setAsked(undefined)}
          onConfirm={(reason) => void confirm(reason)}
        >
          {asked.kind === "postpone" ? (
            <TextField
              label={texts.newTime}
              type="datetime-local"
              value={startsAt}
              onValue={setStartsAt}
              required
            />
          ) : null}
        </ActDialog>
      ) : null}
    </Card>
  );
}

function Progress({ act: each }: { act: EventAct }) {
  const { texts, format } = useWords();
  const { number } = format;
  return (
    <li data-act={each.kind}>
      <span>
        <b>{texts.actKinds[each.kind]}</b>
        <small>
          {format.dateTime(each.createdAt)} · {each.reason}
        </small>
        <progress max={Math.max(1, each.orders)} value={each.done} aria-label={texts.progress} />
        <small>
          {fill(texts.actProgress, {
            done: number(each.done),
            orders: number(each.orders),
            refunds: number(each.refunds.succeeded),
            open: number(each.refunds.open + each.refunds.failed),
            mails: number(each.mails),
          })}
        </small>
      </span>
    </li>
  );
}
