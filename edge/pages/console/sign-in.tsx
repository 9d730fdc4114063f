import { useState } from "preact/hooks";
import { problems } from "../kit/problems/en.ts";
import { codeOf } from "../shop/parts/failure.ts";
import { keepSession, type Session, signIn } from "./calls.ts";
import { texts } from "./texts.ts";

export function SignIn({ onSession }: { onSession: (session: Session) => void }) {
  const [key, setKey] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const reply = await signIn(key.trim());
    setBusy(false);
    if (reply.kind === "ok") {
      keepSession(reply.data);
      onSession(reply.data);
    } else setTrouble(problems[codeOf(reply)]);
  };
  return (
    <main class="wrap sign-in">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <h1>{texts.signIn}</h1>
        <p class="muted">{texts.signInBody}</p>
        {trouble === undefined ? null : (
          <p class="notice" role="alert">
            {trouble}
          </p>
        )}
        <label class="field">
          <span>{texts.key}</span>
          <input
            type="password"
            name="key"
            autocomplete="current-password"
            required
            minLength={16}
            maxLength={200}
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy}>
          {texts.signIn}
        </button>
      </form>
    </main>
  );
}
