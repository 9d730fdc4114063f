import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../kit/i18n.ts";
import { Trouble } from "./trouble.tsx";
import type { Account } from "./use-account.ts";
import { useWords } from "./words.ts";

/** An address, then the code that was sent to it. There is no password to forget or to steal. */
export function SignIn({ account, event }: { account: Account; event: string | undefined }) {
  const { texts } = useWords();
  const { state } = account;
  const isCode = state.view === "code";
  return (
    <div class="door">
      <section class="door-say">
        <h1>{event === undefined ? texts.signIn : fill(texts.signInFor, { event })}</h1>
        <p class="muted">{event === undefined ? texts.signInBody : texts.signInForBody}</p>
      </section>
      {isCode ? <CodeForm account={account} /> : <EmailForm account={account} />}
    </div>
  );
}

function EmailForm({ account }: { account: Account }) {
  const { texts } = useWords();
  const { state } = account;
  const [email, setEmail] = useState(state.email);
  const submit = (event: Event) => {
    event.preventDefault();
    void account.askCode(email.trim());
  };
  return (
    <form class="panel" onSubmit={submit}>
      <label class="field">
        <span>{texts.email}</span>
        <input
          name="email"
          type="email"
          required
          maxLength={254}
          autocomplete="email"
          value={email}
          onInput={(event) => setEmail(event.currentTarget.value)}
        />
        <small>{texts.emailHint}</small>
      </label>
      <Trouble code={state.trouble} />
      <button type="submit" disabled={state.busy} aria-busy={state.busy}>
        {texts.sendCode}
      </button>
    </form>
  );
}

function CodeForm({ account }: { account: Account }) {
  const { texts } = useWords();
  const { state, tell } = account;
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void account.sendCode(code);
  };
  return (
    <form class="panel" onSubmit={submit}>
      <p role="status">{fill(texts.codeSent, { email: state.email })}</p>
      <label class="field">
        <span>{texts.code}</span>
        <input
          ref={field}
          class="code"
          name="code"
          required
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={32}
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <small>{texts.codeHint}</small>
      </label>
      <Trouble code={state.trouble} />
      <div class="actions">
        <button type="submit" disabled={state.busy} aria-busy={state.busy}>
          {texts.goIn}
        </button>
        <button
          type="button"
          class="quiet"
          disabled={state.busy}
          onClick={() => void account.askCode(state.email)}
        >
          {texts.codeAgain}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => tell({ view: "email", trouble: undefined })}
        >
          {texts.otherEmail}
        </button>
      </div>
    </form>
  );
}
