import { useEffect, useState } from "preact/hooks";
import type { RoomActionName, RoomPatch } from "../../../../shared/contract/rooms.ts";
import type { Reply } from "../../kit/api.ts";
import { act, type Figures, patchRoom, type RoomView } from "../calls/room.ts";
import type { Session } from "../calls/session.ts";
import { ActDialog } from "../parts/act-dialog.tsx";
import { Said, TextField, type Word } from "../parts/field.tsx";
import { sentenceOf, useWords } from "../words.tsx";
import { actionsFor, isGrave } from "./decide.ts";
import { NoticeForm } from "./notice-form.tsx";
import { PaceForm } from "./pace-form.tsx";

type Props = {
  session: Session;
  room: RoomView;
  figures: Figures;
  onSettled: (view: RoomView | undefined) => Promise<void>;
  /** The version that this desk was drawn with. */
  onSeen: (version: number) => void;
};
type Asked = { kind: "act"; action: RoomActionName } | { kind: "patch"; patch: RoomPatch };

/** What may be done to the room. Nothing happens without a reason and a second press. */
export function Controls({ session, room, figures, onSettled, onSeen }: Props) {
  const words = useWords();
  const { texts } = words;
  const [asked, setAsked] = useState<Asked>();
  const [place, setPlace] = useState("");
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<Word>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => onSeen(room.version), []);

  /** Whatever came of it, the room is read again: somebody else may have changed it, too. */
  const settle = async (reply: Reply<RoomView>) => {
    setBusy(false);
    if (reply.kind === "ok") {
      setSaid({ text: texts.saved, isTrouble: false });
      setAsked(undefined);
      setTrouble(undefined);
    } else setTrouble(sentenceOf(words, reply));
    await onSettled(reply.kind === "ok" ? reply.data : undefined);
  };
  const confirm = async (reason: string) => {
    if (!asked) return;
    setBusy(true);
    await settle(
      asked.kind === "patch"
        ? await patchRoom(session, room, { ...asked.patch, reason })
        : await act(session, room.event, {
            action: asked.action,
            reason,
            ...(asked.action === "admit" ? { place: place.trim() } : {}),
          }),
    );
  };
  const ask = (next: Asked) => {
    setTrouble(undefined);
    setSaid(undefined);
    setAsked(next);
  };
  const [title, body] =
    asked?.kind === "act" ? texts.actions[asked.action] : [texts.apply, texts.applyBody];
  return (
    <section class="controls" aria-label={texts.controls}>
      <Said said={said} />
      <div class="card acts-card">
        <h2>{texts.controls}</h2>
        <div class="acts">
          {actionsFor(room.phase).map((action, i) => (
            <button
              key={action}
              type="button"
              class={isGrave(action) ? "quiet grave-line" : i === 0 ? "" : "quiet"}
              disabled={busy}
              onClick={() => ask({ kind: "act", action })}
            >
              {texts.actions[action][0]}
            </button>
          ))}
        </div>
      </div>
      <PaceForm
        room={room}
        figures={figures}
        busy={busy}
        onPatch={(patch) => ask({ kind: "patch", patch })}
      />
      <NoticeForm
        notice={room.notice}
        busy={busy}
        onPublish={(notice) => ask({ kind: "patch", patch: { notice } })}
      />
      {asked === undefined ? null : (
        <ActDialog
          title={title}
          body={body}
          grave={asked.kind === "act" && isGrave(asked.action)}
          busy={busy}
          trouble={trouble}
          onClose={() => setAsked(undefined)}
          onConfirm={(reason) => void confirm(reason)}
        >
          {asked.kind === "act" && asked.action === "admit" ? (
            <TextField
              label={texts.place}
              hint={texts.placeHint}
              value={place}
              onValue={setPlace}
              required
              maxLength={64}
            />
          ) : null}
          {asked.kind === "patch" ? <Changes room={room} patch={asked.patch} /> : null}
        </ActDialog>
      )}
    </section>
  );
}

/** What is about to change, from what to what. */
function Changes({ room, patch }: { room: RoomView; patch: RoomPatch }) {
  const { texts } = useWords();
  const names = { ratePerMinute: texts.rate, activeMax: texts.cap, notice: texts.notice };
  return (
    <dl class="changes">
      {(["ratePerMinute", "activeMax", "notice"] as const)
        .filter((name) => patch[name] !== undefined && patch[name] !== room[name])
        .map((name) => (
          <div key={name}>
            <dt>{names[name]}</dt>
            <dd>
              <s>{room[name]}</s> {patch[name]}
            </dd>
          </div>
        ))}
    </dl>
  );
}
