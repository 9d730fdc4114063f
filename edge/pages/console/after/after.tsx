import type { EventView } from "../../../../shared/contract/events.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { DrawEvidence } from "./draw-evidence.tsx";
import { EventActs } from "./event-acts.tsx";
import { Fairness } from "./fairness.tsx";

type Props = { session: Session; event: EventView; onEventsChanged: () => Promise<unknown> };

/** When the sale is over: was it fair, can it be proved, and what if the event is not to be. */
export function After({ session, event, onEventsChanged }: Props) {
  return (
    <div class="stack">
      <div class="two">
        <Fairness session={session} event={event} />
        <DrawEvidence event={event} />
      </div>
      <EventActs
        session={session}
        event={event}
        may={mayAs(session, "owner")}
        onChanged={onEventsChanged}
      />
    </div>
  );
}
