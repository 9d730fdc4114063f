import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "./texts.ts";

type Props = {
  title: string;
  body: string;
  grave: boolean;
  withPlace?: boolean;
  busy: boolean;
  onConfirm: (input: { reason: string; place: string }) => void;
  onClose: () => void;
};

/** Nothing is done to a crowd without a second look and a reason. */
export function ActDialog(props: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState("");
  const [place, setPlace] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    props.onConfirm({ reason: reason.trim(), place: place.trim() });
  };
  return (
    <dialog ref={dialog} aria-labelledby="act-title" onClose={props.onClose}>
      <form onSubmit={submit}>
        <h2 id="act-title">{props.title}</h2>
        <p>{props.body}</p>
        {props.withPlace ? (
          <label class="field">
            <span>{texts.place}</span>
            <input
              required
              maxLength={64}
              value={place}
              onInput={(event) => setPlace(event.currentTarget.value)}
            />
          </label>
        ) : null}
        <label class="field">
          <span>{texts.reason}</span>
          <textarea
            required
            maxLength={500}
            rows={3}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class={props.grave ? "grave" : ""} disabled={props.busy}>
            {props.title}
          </button>
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            {texts.back}
          </button>
        </div>
      </form>
    </dialog>
  );
}
