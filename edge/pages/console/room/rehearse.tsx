import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import type { RehearsalView } from "../../../../shared/contract/sales.ts";
import { serverNow } from "../../kit/clock.ts";
import { fill } from "../../kit/i18n.ts";
import { type Figures, readFigures } from "../calls/room.ts";
import { readRehearsals, readSale, startRehearsal, stopRehearsal } from "../calls/sale.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { Flow } from "../live/flow.tsx";
import { Prices } from "../live/prices.tsx";
import { ActDialog } from "../parts/act-dialog.tsx";
import { Card, NumberField, Said, type Word } from "../parts/field.tsx";
import { usePoll } from "../parts/use-poll.ts";
import { sentenceOf, useWords } from "../words.tsx";
import { Rehearsals } from "./rehearsals.tsx";

const LOOK_MS = 1_000;
const NO_HISTORY = 9_000_000_000_000;
type Sale = Awaited<ReturnType<typeof readSale>>;

/** A synthetic crowd on a copy of the event, watched as the real one will be. */
export function Rehearse({ session, event }: { session: Session; event: EventView }) {
  const words = useWords();
  const { plan } = words;
  const [list, setList] = useState<readonly RehearsalView[]>([]);
  const [figures, setFigures] = useState<Figures>();
  const [sale, setSale] = useState<Sale>();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [said, setSaid] = useState<Word>();
  const [wish, setWish] = useState({
    fans: 120,
    arriveSeconds: 30,
    absentPercent: 20,
    buyPercent: 60,
  });
  const now = list.find(({ state }) => state === "running");
  const look = async () => {
    const reply = await readRehearsals(session, event.id);
    const rehearsals = reply.kind === "ok" ? reply.data.rehearsals : list;
    setList(rehearsals);
    const running = rehearsals.find(({ state }) => state === "running");
    if (!running) return setFigures(undefined);
    const [live, sold] = await Promise.all([
      readFigures(session, running.copy, NO_HISTORY),
      readSale(session, running.copy),
    ]);
    if (live.kind === "ok") setFigures(live.data);
    if (sold.kind === "ok") setSale(sold);
  };
  usePoll(look, LOOK_MS, [event.id]);
  const start = async (reason: string) => {
    setBusy(true);
    const { arriveSeconds, ...rest } = wish;
    const arriveMs = arriveSeconds * 1_000;
    const reply = await startRehearsal(session, event.id, { ...rest, arriveMs, reason });
    setBusy(false);
    if (reply.kind !== "ok") return setTrouble(sentenceOf(words, reply));
    setAsking(false);
    setSaid({ text: plan.rehearsalStarted, isTrouble: false });
    await look();
  };
  const stop = async (id: string) => {
    setBusy(true);
    const reply = await stopRehearsal(session, event.id, id);
    setBusy(false);
    if (reply.kind !== "ok") setSaid({ text: sentenceOf(words, reply), isTrouble: true });
    await look();
  };
  const may = mayAs(session, "operator");
  const number = (name: keyof typeof wish, min: number, max: number) => (
    <NumberField
      label={plan.wish[name]}
      value={wish[name]}
      onValue={(value) => setWish({ ...wish, [name]: value })}
      min={min}
      max={max}
    />
  );
  const soldNow = sale?.kind === "ok" ? sale.data : undefined;
  return (
    <div class="stack">
      <Said said={said} />
      {now && figures ? (
        <>
          <p class="notice">{fill(plan.rehearsing, { copy: now.copy })}</p>
          <Flow figures={figures} sale={soldNow} now={serverNow()} />
          <Prices sale={soldNow} now={serverNow()} />
        </>
      ) : null}
      {now ? (
        <button
          type="button"
          class="quiet grave-line"
          disabled={busy || !may}
          onClick={() => void stop(now.id)}
        >
          {plan.stopRehearsal}
        </button>
      ) : (
        <Card title={plan.rehearse}>
          <p>{plan.rehearseBody}</p>
          <form
            class="stack"
            onSubmit={(submit) => {
              submit.preventDefault();
              setTrouble(undefined);
              setAsking(true);
            }}
          >
            <div class="grid">
              {number("fans", 1, 500)}
              {number("arriveSeconds", 1, 300)}
              {number("absentPercent", 0, 90)}
              {number("buyPercent", 0, 100)}
            </div>
            <button type="submit" disabled={!may}>
              {plan.rehearse}
            </button>
          </form>
        </Card>
      )}
      <Rehearsals list={list} />
      {asking ? (
        <ActDialog
          title={plan.rehearse}
          body={plan.rehearseAsk}
          busy={busy}
          trouble={trouble}
          onClose={() => setAsking(false)}
          onConfirm={(reason) => void start(reason)}
        />
      ) : null}
    </div>
  );
}
