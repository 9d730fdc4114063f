import { useEffect, useState } from "preact/hooks";
import { fill } from "../../kit/i18n.ts";
import { goToProvider, type Provider, readProviders, takeAnswer } from "../calls/oidc.ts";
import { keepSession, type Session, signIn } from "../calls/session.ts";
import { sentenceOf, useWords } from "../words.tsx";

/** By key, or by an OpenID provider of the deployment. */
export function SignIn({ onSession }: { onSession: (session: Session) => void }) {
  const words = useWords();
  const { texts } = words;
  const [key, setKey] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [providers, setProviders] = useState<Provider[]>([]);
  const settle = (reply: Awaited<ReturnType<typeof signIn>>) => {
    setBusy(false);
    const session = reply.kind === "ok" ? keepSession(reply.data) : undefined;
    if (session) onSession(session);
    else if (reply.kind !== "ok") setTrouble(sentenceOf(words, reply));
  };
  useEffect(() => {
    void takeAnswer().then((answer) => answer && settle(answer));
    void readProviders().then((reply) => reply.kind === "ok" && setProviders(reply.data.providers));
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    settle(await signIn(key.trim()));
  };
  const leave = async (provider: string) => {
    setBusy(true);
    const reply = await goToProvider(provider);
    if (reply.kind === "ok") return;
    setBusy(false);
    setTrouble(sentenceOf(words, reply));
  };
  return (
    <main class="wrap sign-in">
      <div class="stub">
        <form class="stub-main" onSubmit={(event) => void submit(event)}>
          <h1>{texts.signIn}</h1>
          <p>{texts.signInBody}</p>
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
        {providers.length === 0 ? null : (
          <div class="stub-tear">
            {providers.map(({ id, name }) => (
              <button
                key={id}
                type="button"
                class="quiet"
                disabled={busy}
                onClick={() => void leave(id)}
              >
                {fill(texts.signInWith, { name })}
              </button>
            ))}
          </div>
        )}
      </div>
    </main>
  );
}
