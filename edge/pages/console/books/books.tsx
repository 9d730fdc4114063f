import { useEffect, useState } from "preact/hooks";
import {
  actOnDifference,
  type Difference,
  type Run,
  readBooks,
  reconcile,
} from "../calls/house.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { ActDialog } from "../parts/act-dialog.tsx";
import { Card, Said, TextField, type Word } from "../parts/field.tsx";
import { sentenceOf, useWords } from "../words.tsx";
import { Doubles } from "./doubles.tsx";
import { Runs } from "./runs.tsx";

type Way = "repair" | "refund" | "dismiss";

/** Our books against the provider's: what differs, and one press for each. */
export function Books({ session }: { session: Session }) {
  const words = useWords();
  const { texts } = words;
  const [books, setBooks] = useState<{ runs: Run[]; queue: Difference[] }>();
  const [day, setDay] = useState(new Date().toISOString().slice(0, 10));
  const [asked, setAsked] = useState<{ one: Difference; way: Way }>();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<Word>();
  const [trouble, setTrouble] = useState<string>();
  const may = mayAs(session, "operator");
  const look = async () => {
    const reply = await readBooks(session);
    if (reply.kind === "ok") setBooks(reply.data);
    else setSaid({ text: sentenceOf(words, reply), isTrouble: true });
  };
  useEffect(() => {
    void look();
  }, []);
  const compare = async () => {
    setBusy(true);
    const reply = await reconcile(session, day);
    setBusy(false);
    setSaid(
      reply.kind === "ok"
        ? { text: texts.compared, isTrouble: false }
        : { text: sentenceOf(words, reply), isTrouble: true },
    );
    await look();
  };
  const confirm = async (reason: string) => {
    if (!asked) return;
    setBusy(true);
    const reply = await actOnDifference(session, asked.one.id, { do: asked.way, reason });
    setBusy(false);
    if (reply.kind !== "ok") return setTrouble(sentenceOf(words, reply));
    setAsked(undefined);
    const isOpen = reply.data.state === "queued";
    setSaid({ text: isOpen ? texts.stillOpen : texts.repaired, isTrouble: isOpen });
    await look();
  };
  return (
    <div class="stack">
      <h1>{texts.views.books}</h1>
      <Said said={said} />
      <Card title={texts.differences}>
        {books?.queue.length === 0 ? <p class="empty">{texts.noDifferences}</p> : null}
        <ul class="rows">
          {(books?.queue ?? []).map((one) => (
            <li key={one.id} data-difference={one.class}>
              <span>
                <b>{texts.classes[one.class as keyof typeof texts.classes] ?? one.class}</b>
                <small>
                  {one.day} · <span class="mono">{one.reference}</span>
                </small>
                <small>
                  {Object.entries(one.details)
                    .map(([name, value]) => `${name} ${value}`)
                    .join(" · ")}
                </small>
              </span>
              {may ? (
                <span class="actions">
                  {(["repair", "refund", "dismiss"] as const)
                    .filter((way) => way !== "refund" || one.attempt !== null)
                    .map((way) => (
                      <button
                        key={way}
                        type="button"
                        class="quiet small"
                        onClick={() => {
                          setTrouble(undefined);
                          setAsked({ one, way });
                        }}
                      >
                        {texts.ways[way][0]}
                      </button>
                    ))}
                </span>
              ) : null}
            </li>
          ))}
        </ul>
        {may ? (
          <form
            class="search"
            onSubmit={(submit) => {
              submit.preventDefault();
              void compare();
            }}
          >
            <TextField label={texts.day} type="date" value={day} onValue={setDay} required />
            <button type="submit" class="quiet" disabled={busy}>
              {texts.compare}
            </button>
          </form>
        ) : null}
      </Card>
      <div class="two">
        <Runs runs={books?.runs ?? []} />
        <Doubles session={session} />
      </div>
      {asked ? (
        <ActDialog
          title={texts.ways[asked.way][0]}
          body={texts.ways[asked.way][1]}
          grave={asked.way === "refund"}
          busy={busy}
          trouble={trouble}
          onClose={() => setAsked(undefined)}
          onConfirm={(reason) => void confirm(reason)}
        />
      ) : null}
    </div>
  );
}
