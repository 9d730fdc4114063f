import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { EventView } from "../../../shared/contract/events.ts";
import { byId } from "../kit/dom.ts";
import { keepSession, keptSession, readEvents, type Session } from "./calls.ts";
import { Room } from "./room.tsx";
import { SignIn } from "./sign-in.tsx";
import { texts } from "./texts.ts";

const RETRY_MS = 3_000;

function Console() {
  const [session, setSession] = useState<Session | undefined>(keptSession);
  const [events, setEvents] = useState<EventView[]>();
  const [chosen, setChosen] = useState(location.hash.slice(1));
  useEffect(() => {
    if (!session) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const reply = await readEvents();
      if (reply.kind === "ok") setEvents(reply.data.events);
      else timer = setTimeout(look, RETRY_MS);
    };
    void look();
    return () => clearTimeout(timer);
  }, [session]);
  const signOut = () => {
    keepSession(undefined);
    setSession(undefined);
  };
  const choose = (id: string) => {
    setChosen(id);
    history.replaceState(null, "", `#${id}`);
  };
  const event = events?.find(({ id }) => id === chosen) ?? events?.[0];
  return (
    <>
      <header class="top wrap">
        <a class="brand" href="/">
          Sıra <span class="muted">{texts.title}</span>
        </a>
        {session ? (
          <button type="button" class="quiet small" onClick={signOut}>
            {texts.signOut}
          </button>
        ) : null}
      </header>
      {session ? (
        <main class="wrap desk">
          <nav aria-label={texts.events}>
            {(events ?? []).map(({ id, name }) => (
              <button
                key={id}
                type="button"
                class="quiet"
                aria-current={id === event?.id ? "page" : undefined}
                onClick={() => choose(id)}
              >
                {name}
              </button>
            ))}
            {events?.length === 0 ? <p class="muted">{texts.noEvents}</p> : null}
          </nav>
          {event ? (
            <Room key={event.id} session={session} event={event} onSignedOut={signOut} />
          ) : null}
        </main>
      ) : (
        <SignIn onSession={setSession} />
      )}
    </>
  );
}

render(<Console />, byId("app"));
