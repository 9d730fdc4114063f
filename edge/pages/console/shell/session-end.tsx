import { useEffect, useState } from "preact/hooks";
import { serverNow } from "../../kit/clock.ts";
import { fill } from "../../kit/i18n.ts";
import { keepSession, type Session, signIn } from "../calls/session.ts";
import { sentenceOf, useWords } from "../words.tsx";

const WARN_MS = 5 * 60_000;
const LOOK_MS = 5_000;

/** Nobody is shown the door in the middle of a sale: who signs in again in time loses nothing (WCAG 2.2.1). */
export function SessionEnd(props: { session: Session; onSession: (session: Session) => void }) {
  const words = useWords();
  const { texts, format } = words;
  const { session, onSession } = props;
  const endsAt = Date.parse(session.expiresAt);
  const [now, setNow] = useState(serverNow);
  const [key, setKey] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  if (endsAt - now > WARN_MS) return null;
  const again = async (submit: Event) => {
    submit.preventDefault();
    setBusy(true);
    const reply = await signIn(key.trim());
    setBusy(false);
    const fresh = reply.kind === "ok" ? keepSession(reply.data) : undefined;
    if (reply.kind !== "ok") return setTrouble(sentenceOf(words, reply));
    setKey("");
    setTrouble(undefined);
    if (fresh) onSession(fresh);
  };
  return (
    <form class="wrap session-end" onSubmit={(submit) => void again(submit)}>
      <p role="status">{fill(texts.sessionEnds, { time: format.time(endsAt) })}</p>
      <label>
        <span class="sr">{texts.key}</span>
        <input
          type="password"
          autocomplete="current-password"
          placeholder={texts.key}
          required
          minLength={16}
          maxLength={200}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={busy}>
        {texts.staySignedIn}
      </button>
      {trouble === undefined ? null : <p role="alert">{trouble}</p>}
    </form>
  );
}
