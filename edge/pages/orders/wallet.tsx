import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { fill } from "../kit/i18n.ts";
import { useWords } from "../shop/words.ts";

type Props = { tickets: { id: string; pass: ComponentChildren }[]; onClose: () => void };

/** One ticket at a time, as large as the screen is: swiped from one to the next at the door. */
export function Wallet({ tickets, onClose }: Props) {
  const { texts, format } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const { current: element } = dialog;
    // Whoever has no finger to swipe with scrolls it by the arrow keys.
    if (list.current) list.current.tabIndex = 0;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} class="wallet no-print" aria-label={texts.wallet} onClose={onClose}>
      <div class="wallet-top">
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          {texts.close}
        </button>
      </div>
      <ul ref={list} aria-label={texts.wallet}>
        {tickets.map(({ id, pass }, i) => (
          <li key={id}>
            {pass}
            <p>
              {fill(texts.ticketOf, {
                n: format.number(i + 1),
                count: format.number(tickets.length),
              })}
            </p>
          </li>
        ))}
      </ul>
    </dialog>
  );
}
