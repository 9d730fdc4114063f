import { useEffect, useRef } from "preact/hooks";
import { useWords } from "./words.ts";

/** Also for hand scanners, which type the code and press Enter. */
export function ByHand(props: { onCode: (code: string) => Promise<unknown>; isOpen: boolean }) {
  const { texts } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (props.isOpen && fold.current) fold.current.open = true;
  }, [props.isOpen]);
  const submit = (event: Event) => {
    event.preventDefault();
    const code = field.current?.value.trim() ?? "";
    if (field.current) field.current.value = "";
    if (code !== "") void props.onCode(code);
    field.current?.focus();
  };
  return (
    <details class="by-hand" ref={fold}>
      <summary>{texts.manual}</summary>
      <form onSubmit={submit}>
        <label class="field">
          <span>{texts.manualHint}</span>
          <input
            ref={field}
            name="code"
            required
            maxLength={300}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        </label>
        <button type="submit">{texts.check}</button>
      </form>
    </details>
  );
}
