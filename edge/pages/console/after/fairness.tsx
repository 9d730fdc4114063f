import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import type { FairnessReport } from "../../../../shared/contract/rooms.ts";
import { FairnessFacts } from "../../fairness/facts.tsx";
import { patchRoom, readFairness, readRoom } from "../calls/room.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { ActDialog } from "../parts/act-dialog.tsx";
import { Card } from "../parts/field.tsx";
import { usePoll } from "../parts/use-poll.ts";
import { sentenceOf, useWords } from "../words.tsx";

const LOOK_MS = 10_000;

/** The report on the line, and whether the public may read it. */
export function Fairness({ session, event }: { session: Session; event: EventView }) {
  const words = useWords();
  const { texts } = words;
  const [report, setReport] = useState<FairnessReport & { published: boolean }>();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const look = async () => {
    const reply = await readFairness(session, event.id);
    if (reply.kind === "ok") setReport(reply.data);
  };
  usePoll(look, LOOK_MS, [event.id]);
  const publish = async (reason: string) => {
    setBusy(true);
    const room = await readRoom(session, event.id);
    const reply =
      room.kind === "ok"
        ? await patchRoom(session, room.data, { publishFairness: !report?.published, reason })
        : room;
    setBusy(false);
    if (reply.kind !== "ok") return setTrouble(sentenceOf(words, reply));
    setAsking(false);
    await look();
  };
  if (report === undefined) return null;
  const title = report.published ? texts.unpublish : texts.publishReport;
  return (
    <Card title={texts.fairness}>
      <FairnessFacts report={report} language={words.language} />
      <div class="actions">
        {report.published ? <a href={`/fairness/${event.id}`}>{texts.fairnessPage}</a> : null}
        {mayAs(session, "operator") ? (
          <button type="button" class="quiet" onClick={() => setAsking(true)}>
            {title}
          </button>
        ) : null}
      </div>
      {asking ? (
        <ActDialog
          title={title}
          body={texts.publishBody}
          busy={busy}
          trouble={trouble}
          onClose={() => setAsking(false)}
          onConfirm={(reason) => void publish(reason)}
        />
      ) : null}
    </Card>
  );
}
