import { useEffect, useRef, useState } from "preact/hooks";
import type { TransferRequest } from "../../../shared/contract/tickets.ts";
import { fill } from "../kit/i18n.ts";
import { useWords } from "../shop/words.ts";

type Person = Pick<TransferRequest, "name" | "email">;
type Props = { busy: boolean; onSend: (to: Person) => void };

/** To whom, then once more with both in view: a wrong address cannot be called back. */
export function HandOn({ busy, onSend }: Props) {
  const { texts } = useWords();
  const words = texts.ticket;
  const [to, setTo] = useState<Person>({ name: "", email: "" });
  const [asks, setAsks] = useState(false);
  const question = useRef<HTMLHeadingElement>(null);
  // The field that had the focus is gone; whoever cannot see hears the question instead.
  useEffect(() => question.current?.focus(), [asks]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (asks) onSend(to);
    else setAsks(true);
  };
  if (asks)
    return (
      <form class="panel" onSubmit={submit}>
        <h2 ref={question} tabIndex={-1}>
          {fill(words.ask, to)}
        </h2>
        <p>{words.warn}</p>
        <div class="actions">
          <button type="submit" disabled={busy} aria-busy={busy}>
            {words.yes}
          </button>
          <button type="button" class="quiet" disabled={busy} onClick={() => setAsks(false)}>
            {words.no}
          </button>
        </div>
      </form>
    );
  return (
    <details class="panel no-print">
      <summary>{words.handOn}</summary>
      <form class="hand-on" onSubmit={submit}>
        <p>{words.handOnHint}</p>
        <label class="field">
          <span>{words.theirName}</span>
          <input
            name="name"
            required
            maxLength={200}
            autocomplete="off"
            value={to.name}
            onInput={(event) => setTo({ ...to, name: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          <span>{words.theirEmail}</span>
          <input
            name="email"
            type="email"
            required
            maxLength={254}
            autocomplete="off"
            value={to.email}
            onInput={(event) => setTo({ ...to, email: event.currentTarget.value })}
          />
        </label>
        <div class="actions">
          <button type="submit">{words.next}</button>
        </div>
      </form>
    </details>
  );
}
