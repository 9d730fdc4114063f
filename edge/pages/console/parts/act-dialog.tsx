import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../words.tsx";

type Props = {
  title: string;
  body: string;
  grave?: boolean;
  busy: boolean;
  trouble?: string | undefined;
  onConfirm: (reason: string) => void;
  onClose: () => void;
  children?: ComponentChildren;
};

/** Nothing is done to a crowd, or to money, without a second look and a reason. */
export function ActDialog(props: Props) {
  const { texts } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="act-title" onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.onConfirm(reason.trim());
        }}
      >
        <h2 id="act-title">{props.title}</h2>
        <p>{props.body}</p>
        {props.children}
        <label class="field">
          <span>{texts.reason}</span>
          <textarea
            required
            maxLength={500}
            rows={2}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        {props.trouble === undefined ? null : (
          <p class="notice" role="alert">
            {props.trouble}
          </p>
        )}
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
