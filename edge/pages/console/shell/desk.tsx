import type { EventView } from "../../../../shared/contract/events.ts";
import { Keys } from "../access/keys.tsx";
import { After } from "../after/after.tsx";
import { Books } from "../books/books.tsx";
import { isOfAll, mayAs, type Session } from "../calls/session.ts";
import { EventEditor } from "../event/event-editor.tsx";
import { Live } from "../live/live.tsx";
import { Log } from "../log/log.tsx";
import { Orders } from "../orders/orders.tsx";
import { Rehearse } from "../room/rehearse.tsx";
import { RoomPage } from "../room/room-page.tsx";
import { useWords } from "../words.tsx";
import { EventHead } from "./event-head.tsx";
import { isHouseView, type Route, VIEWS, type View } from "./route.ts";

type Props = {
  session: Session;
  events: readonly EventView[] | undefined;
  route: Route;
  go: (route: Route) => void;
  onSignedOut: () => void;
  onEventsChanged: () => Promise<unknown>;
};

/** What a role has no business with is not offered; the servers refuse it all the same. */
function houseViewsOf(session: Session): View[] {
  const isOwner = mayAs(session, "owner");
  return [
    ...(isOwner ? (["new"] as const) : []),
    ...(isOfAll(session) ? (["books"] as const) : []),
    ...(isOwner && isOfAll(session) ? (["access"] as const) : []),
  ];
}

export function Desk({ session, events, route, go, onSignedOut, onEventsChanged }: Props) {
  const { texts } = useWords();
  const event = events?.find(({ id }) => id === route.event) ?? events?.[0];
  const house = isHouseView(route.view);
  if (session.role === "scanner")
    return (
      <main id="main" class="wrap desk">
        <p class="notice">
          {texts.scannerOnly[0]} <a href="/scan">{texts.scannerOnly[1]}</a>
        </p>
      </main>
    );
  const tab = (view: View, at: string) => (
    <a
      key={view}
      class="tab"
      href={`#/${at}/${view}`}
      aria-current={route.view === view ? "page" : undefined}
    >
      {texts.views[view]}
    </a>
  );
  return (
    <main id="main" class="wrap desk">
      <nav class="events" aria-label={texts.events}>
        <label class="pick">
          <span class="sr">{texts.events}</span>
          <select
            value={event?.id ?? ""}
            onChange={(change) =>
              go({ event: change.currentTarget.value, view: house ? "live" : route.view })
            }
          >
            {(events ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {houseViewsOf(session).map((view) => tab(view, event?.id ?? ""))}
        <span class="role">{texts.roles[session.role]}</span>
      </nav>
      {event === undefined || house ? null : (
        <>
          <EventHead event={event} />
          <nav class="tabs" aria-label={event.name}>
            {VIEWS.map((view) => tab(view, event.id))}
          </nav>
        </>
      )}
      {events?.length === 0 && !house ? <p class="empty">{texts.noEvents}</p> : null}
      <Page
        // What is typed about the whole house stays when the events have come, or another is chosen.
        key={house ? route.view : `${event?.id}/${route.view}`}
        {...{ session, event, view: route.view, go, onSignedOut, onEventsChanged }}
      />
    </main>
  );
}

type PageProps = {
  session: Session;
  event: EventView | undefined;
  view: View;
  go: (route: Route) => void;
  onSignedOut: () => void;
  onEventsChanged: () => Promise<unknown>;
};

function Page({ session, event, view, go, onSignedOut, onEventsChanged }: PageProps) {
  if (view === "new")
    return (
      <EventEditor
        session={session}
        event={undefined}
        onSaved={(id) => void onEventsChanged().then(() => go({ event: id, view: "room" }))}
      />
    );
  if (view === "books") return <Books session={session} />;
  if (view === "access") return <Keys session={session} />;
  if (event === undefined) return null;
  const common = { session, event };
  switch (view) {
    case "live":
      return <Live {...common} onSignedOut={onSignedOut} />;
    case "orders":
      return <Orders {...common} />;
    case "event":
      return (
        <EventEditor
          {...common}
          event={event.id}
          onSaved={(id) => void onEventsChanged().then(() => go({ event: id, view: "event" }))}
        />
      );
    case "room":
      return <RoomPage {...common} />;
    case "rehearse":
      return <Rehearse {...common} />;
    case "after":
      return <After {...common} onEventsChanged={onEventsChanged} />;
    case "log":
      return <Log {...common} />;
  }
}
