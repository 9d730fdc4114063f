import { useEffect, useState } from "preact/hooks";
import { isEventId } from "../../../../shared/ids.ts";
import { serverNow } from "../../kit/clock.ts";
import { readPut } from "../calls/event.ts";
import { readSeats } from "../calls/sale.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { ActDialog } from "../parts/act-dialog.tsx";
import { Card, Said, TextField, type Word } from "../parts/field.tsx";
import { sentenceOf, useWords } from "../words.tsx";
import { blockedOf, type Draft, draftOf, newDraft } from "./draft.ts";
import { FactsForm } from "./facts-form.tsx";
import { FileBar } from "./file-bar.tsx";
import { Preview } from "./preview.tsx";
import { saveEvent } from "./save.ts";
import { SeatEditor } from "./seat-editor.tsx";
import { ZonesForm } from "./zones-form.tsx";

type Props = { session: Session; event: string | undefined; onSaved: (id: string) => void };
type Loaded = { draft: Draft; version: string | undefined; blocked: ReadonlySet<string> };

/** An event and its house, written from nothing, from a file, or from another event. */
export function EventEditor({ session, event, onSaved }: Props) {
  const words = useWords();
  const { texts, plan } = words;
  const [id, setId] = useState(event ?? "");
  const [loaded, setLoaded] = useState<Loaded>();
  const [cloneOf, setCloneOf] = useState<string>();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<Word>();
  const [trouble, setTrouble] = useState<string>();
  const isNew = event === undefined || cloneOf !== undefined;
  const may = mayAs(session, "owner");

  const load = async () => {
    if (event === undefined) {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      setLoaded({ draft: newDraft(serverNow(), zone), version: undefined, blocked: new Set() });
      return;
    }
    const [put, house] = await Promise.all([readPut(session, event), readSeats(event)]);
    if (put.kind !== "ok") return setSaid({ text: sentenceOf(words, put), isTrouble: true });
    const blocked = blockedOf(house.kind === "ok" ? house.data : undefined);
    const version = put.headers.get("etag") ?? undefined;
    setLoaded({ draft: draftOf(put.data, blocked), version, blocked });
  };
  useEffect(() => {
    void load();
  }, []);
  if (!loaded) return <>{said ? <Said said={said} /> : <p class="empty">{texts.loading}</p>}</>;
  const { draft } = loaded;
  const change = (next: Partial<Draft>) => setLoaded({ ...loaded, draft: { ...draft, ...next } });

  const save = async (reason: string) => {
    setBusy(true);
    const done = await saveEvent(session, {
      id,
      draft,
      reason,
      isNew,
      cloneOf,
      version: isNew ? undefined : loaded.version,
      wasBlocked: isNew ? new Set() : loaded.blocked,
    });
    setBusy(false);
    if (done.kind === "bad-time") return setTrouble(plan.badTime);
    if (done.kind === "failed") return setTrouble(sentenceOf(words, done.reply));
    setAsking(false);
    setSaid({ text: plan.saved, isTrouble: false });
    if (isNew) onSaved(id);
    else await load();
  };
  const clone = () => {
    setCloneOf(event);
    setId(`${event}-2`.slice(0, 64));
    change({ name: `${draft.name} (2)` });
    setSaid({ text: plan.cloned, isTrouble: false });
  };
  return (
    <form
      class="editor"
      onSubmit={(submit) => {
        submit.preventDefault();
        setTrouble(undefined);
        setAsking(true);
      }}
    >
      {event === undefined ? <h1>{plan.newEvent}</h1> : null}
      <Said said={said} />
      {may ? null : <p class="notice">{texts.ownersOnly}</p>}
      <fieldset disabled={!may} class="plain">
        <Card title={plan.event}>
          {isNew ? (
            <TextField
              label={plan.id}
              hint={plan.idHint}
              value={id}
              onValue={setId}
              required
              pattern="[a-z0-9]([a-z0-9\-]{0,62}[a-z0-9])?"
            />
          ) : null}
          <FactsForm draft={draft} onChange={change} />
        </Card>
        <ZonesForm draft={draft} onChange={change} />
        <FileBar
          draft={draft}
          name={id}
          onDraft={(next) => setLoaded({ ...loaded, draft: next })}
          {...(isNew ? {} : { onClone: clone })}
        />
        <SeatEditor draft={draft} onChange={change} />
        <Preview draft={draft} />
        <div class="save-bar">
          <button type="submit" disabled={busy || !isEventId(id)}>
            {isNew ? plan.create : plan.save}
          </button>
        </div>
      </fieldset>
      {asking ? (
        <ActDialog
          title={isNew ? plan.create : plan.save}
          body={isNew ? plan.createBody : plan.saveBody}
          busy={busy}
          trouble={trouble}
          onClose={() => setAsking(false)}
          onConfirm={(reason) => void save(reason)}
        />
      ) : null}
    </form>
  );
}
