import { useEffect, useState } from "preact/hooks";
import type { Role } from "../../../../shared/token/claims.ts";
import { createKey, type KeyView, readKeys, revokeKey } from "../calls/house.ts";
import type { Session } from "../calls/session.ts";
import { Card, ChoiceField, Said, TextField, type Word } from "../parts/field.tsx";
import { sentenceOf, useWords } from "../words.tsx";

/** Who may come to this desk, as what, and for which events. */
export function Keys({ session }: { session: Session }) {
  const words = useWords();
  const { texts, format } = words;
  const [keys, setKeys] = useState<readonly KeyView[]>([]);
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [events, setEvents] = useState("*");
  const [made, setMade] = useState<string>();
  const [said, setSaid] = useState<Word>();
  const [sure, setSure] = useState<string>();
  const look = async () => {
    const reply = await readKeys(session);
    if (reply.kind === "ok") setKeys(reply.data.keys);
    else setSaid({ text: sentenceOf(words, reply), isTrouble: true });
  };
  useEffect(() => {
    void look();
  }, []);
  const create = async () => {
    const list = events.split(/[\s,]+/).filter(Boolean);
    const reply = await createKey(session, { name: name.trim(), role, events: list });
    if (reply.kind !== "ok") return setSaid({ text: sentenceOf(words, reply), isTrouble: true });
    setMade(reply.data.key);
    setName("");
    await look();
  };
  const revoke = async (id: string) => {
    setSure(undefined);
    const reply = await revokeKey(session, id);
    if (reply.kind !== "ok") setSaid({ text: sentenceOf(words, reply), isTrouble: true });
    await look();
  };
  return (
    <div class="stack">
      <h1>{texts.views.access}</h1>
      <Said said={said} />
      <Card title={texts.newKey}>
        <form
          class="search"
          onSubmit={(submit) => {
            submit.preventDefault();
            void create();
          }}
        >
          <TextField
            label={texts.keyName}
            value={name}
            onValue={setName}
            required
            maxLength={120}
          />
          <ChoiceField
            label={texts.role}
            value={role}
            options={(["viewer", "operator", "owner", "scanner"] as const).map((each) => [
              each,
              texts.roles[each],
            ])}
            onValue={setRole}
            hint={texts.rolesMay[role]}
          />
          <TextField
            label={texts.keyEvents}
            hint={texts.keyEventsHint}
            value={events}
            onValue={setEvents}
            required
          />
          <button type="submit">{texts.makeKey}</button>
        </form>
        {made === undefined ? null : (
          <p class="done" role="status">
            {texts.keyOnce} <code class="mono">{made}</code>
          </p>
        )}
      </Card>
      <Card title={texts.keys}>
        {keys.length === 0 ? <p class="empty">{texts.noKeys}</p> : null}
        <ul class="rows">
          {keys.map((key) => (
            <li key={key.id}>
              <span>
                <b>{key.name}</b>
                <small>
                  {format.dateTime(key.createdAt)} · {key.events.join(", ")}
                </small>
              </span>
              <span class="state">{texts.roles[key.role]}</span>
              {key.revokedAt === undefined ? (
                <button
                  type="button"
                  class="quiet small grave-line"
                  onClick={() => (sure === key.id ? void revoke(key.id) : setSure(key.id))}
                >
                  {sure === key.id ? texts.revokeSure : texts.revoke}
                </button>
              ) : (
                <span class="state state-cancelled">{texts.revoked}</span>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
