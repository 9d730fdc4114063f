import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import { fill } from "../../kit/i18n.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { useWords } from "../words.tsx";
import { Charts } from "./charts.tsx";
import { Controls } from "./controls.tsx";
import { Flow } from "./flow.tsx";
import { Health } from "./health.tsx";
import { HouseMap } from "./house-map.tsx";
import { Money } from "./money.tsx";
import { Prices } from "./prices.tsx";
import { Promises } from "./promises.tsx";
import { useLive } from "./use-live.ts";

type Props = { session: Session; event: EventView; onSignedOut: () => void };

/** The desk during the sale: what is true now, how it came to be, and what can be done about it. */
export function Live({ session, event, onSignedOut }: Props) {
  const { texts } = useWords();
  const { watched, lookAgain } = useLive(session, event.id, onSignedOut);
  const { figures, sale, room, now } = watched;
  const [version, setVersion] = useState<number>();
  if (watched.isMissing) return <p class="notice">{texts.noRoom}</p>;
  if (figures === undefined) return <p class="empty">{texts.loading}</p>;
  const why =
    figures.holding === undefined ? undefined : Reflect.get(texts.holding, figures.holding);
  const isElse = room !== undefined && version !== undefined && room.version > version;
  const may = mayAs(session, "operator");
  return (
    <div class="live" data-line-at={figures.at} data-sale-at={sale?.at}>
      <div class="banners">
        {figures.stale ? <p class="notice">{texts.stale}</p> : null}
        {typeof why === "string" ? <p class="notice">{why}</p> : null}
        {room?.reason ? <p class="notice">{room.reason}</p> : null}
        {isElse && watched.lastAct ? (
          <p class="notice" role="status">
            {fill(texts.changedBy, {
              who: watched.lastAct.actor.replace(/^.*\|/, ""),
              what: watched.lastAct.action,
            })}{" "}
            <button type="button" class="quiet small" onClick={() => setVersion(room.version)}>
              {texts.seen}
            </button>
          </p>
        ) : null}
      </div>
      <Flow figures={figures} sale={sale} now={now} />
      {room && may ? (
        <Controls
          session={session}
          room={room}
          figures={figures}
          onSettled={async (view) => {
            if (view) setVersion(view.version);
            await lookAgain();
          }}
          onSeen={(seen) => setVersion((known) => known ?? seen)}
        />
      ) : null}
      <Charts watched={watched} event={event} />
      <HouseMap event={event.id} />
      <div class="two">
        <Prices sale={sale} now={now} />
        <Money sale={sale} now={now} />
        <Promises figures={figures} now={now} />
        <Health figures={figures} sale={sale} now={now} />
      </div>
    </div>
  );
}
