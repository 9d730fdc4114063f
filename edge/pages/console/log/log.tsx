import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import { readAudit } from "../calls/house.ts";
import { readRoomLog } from "../calls/room.ts";
import type { Session } from "../calls/session.ts";
import { Card } from "../parts/field.tsx";
import { usePoll } from "../parts/use-poll.ts";
import { useWords } from "../words.tsx";
import { type Line, mergeLogs } from "./merge.ts";

const LOOK_MS = 5_000;

/** Everything that was done to room and sale, by whom, when and why. */
export function Log({ session, event }: { session: Session; event: EventView }) {
  const { texts, format } = useWords();
  const [lines, setLines] = useState<readonly Line[]>([]);
  usePoll(
    async () => {
      const [room, core] = await Promise.all([
        readRoomLog(session, event.id),
        readAudit(session, event.id),
      ]);
      setLines(
        mergeLogs(
          room.kind === "ok" ? room.data.entries : [],
          core.kind === "ok" ? core.data.lines : [],
        ),
      );
    },
    LOOK_MS,
    [event.id],
  );
  const clock = new Intl.DateTimeFormat(format.locale, {
    dateStyle: "medium",
    timeStyle: "medium",
  });
  return (
    <Card title={texts.log}>
      {lines.length === 0 ? <p class="empty">{texts.noLog}</p> : null}
      <ol class="history log">
        {lines.map((line) => (
          <li key={line.key} class={`kind-${line.from}`}>
            <time dateTime={line.at}>{clock.format(new Date(line.at))}</time>
            <span>
              <b>{line.action}</b> {line.reason}
              <small>
                {texts.logFrom[line.from]} · {line.actor}
              </small>
              {line.change === "" ? null : <small class="mono">{line.change}</small>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
