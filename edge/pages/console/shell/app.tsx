import { useEffect, useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import { applyLanguage, isLanguage, keepLanguage, LANGUAGES } from "../../kit/i18n.ts";
import { readEvents } from "../calls/event.ts";
import { forgetSession, keptSession, type Session } from "../calls/session.ts";
import { loadWords, type Words, WordsProvider } from "../words.tsx";
import { Desk } from "./desk.tsx";
import { useRoute } from "./route.ts";
import { SessionEnd } from "./session-end.tsx";
import { SignIn } from "./sign-in.tsx";

const RETRY_MS = 3_000;

export function ConsoleApp({ first }: { first: Words }) {
  const [words, setWords] = useState(first);
  const [session, setSession] = useState<Session | undefined>(keptSession);
  const [events, setEvents] = useState<readonly EventView[]>();
  const [route, go] = useRoute();
  const look = async () => {
    const found = session ? await readEvents(session) : undefined;
    if (found) setEvents(found);
    return found !== undefined;
  };
  useEffect(() => {
    if (!session) return;
    let timer: ReturnType<typeof setTimeout>;
    const loop = async () => {
      if (!(await look())) timer = setTimeout(loop, RETRY_MS);
    };
    void loop();
    return () => clearTimeout(timer);
  }, [session]);
  const signOut = () => {
    forgetSession();
    setSession(undefined);
  };
  const speak = (code: string) => {
    if (!isLanguage(code)) return;
    keepLanguage(code);
    void loadWords(code).then((loaded) => {
      applyLanguage(code);
      setWords(loaded);
    });
  };
  const { texts } = words;
  return (
    <WordsProvider value={words}>
      <a class="skip button" href="#main">
        {texts.skip}
      </a>
      <header class="top wrap">
        <a class="brand" href="/">
          Sıra <span class="muted">{texts.title}</span>
        </a>
        <div class="top-end">
          <label>
            <span class="sr">{texts.language}</span>
            <select
              id="language"
              value={words.language}
              onChange={(change) => speak(change.currentTarget.value)}
            >
              {Object.entries(LANGUAGES).map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {session ? (
            <button type="button" class="quiet small" onClick={signOut}>
              {texts.signOut}
            </button>
          ) : null}
        </div>
      </header>
      {session ? <SessionEnd session={session} onSession={setSession} /> : null}
      {session ? (
        <Desk
          session={session}
          events={events}
          route={route}
          go={go}
          onSignedOut={signOut}
          onEventsChanged={look}
        />
      ) : (
        <SignIn onSession={setSession} />
      )}
    </WordsProvider>
  );
}
