import { useEffect, useState } from "preact/hooks";
import type { DoorState } from "./door.ts";
import { useWords } from "./words.ts";

type Props = {
  state: DoorState;
  onStart: (setup: { gate: string; key?: string }) => void;
  onForget: () => void;
};

/** Which door this is, and by what right it asks. */
export function Setup({ state, onStart, onForget }: Props) {
  const { texts, problems } = useWords();
  const [key, setKey] = useState("");
  const [gate, setGate] = useState(state.gate);
  useEffect(() => setGate((typed) => typed || state.gate), [state.gate]);
  const submit = (event: Event) => {
    event.preventDefault();
    onStart({ gate, ...(state.hasKey ? {} : { key }) });
  };
  return (
    <div class="door-setup">
      <p class="door-event">{state.name}</p>
      <h1>{texts.title}</h1>
      <p class="muted">{texts.intro}</p>
      <form class="panel" onSubmit={submit}>
        {state.hasKey ? (
          <div class="kept">
            <p>{texts.keyKept}</p>
            <button type="button" class="quiet" onClick={onForget}>
              {texts.otherKey}
            </button>
          </div>
        ) : (
          <label class="field">
            <span>{texts.key}</span>
            <input
              name="key"
              type="password"
              required
              minLength={16}
              maxLength={200}
              autocomplete="off"
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <small>{texts.keyHint}</small>
          </label>
        )}
        <label class="field">
          <span>{texts.gate}</span>
          <input
            name="gate"
            required
            maxLength={60}
            autocomplete="off"
            value={gate}
            onInput={(event) => setGate(event.currentTarget.value)}
          />
          <small>{texts.gateHint}</small>
        </label>
        {state.trouble === undefined ? null : (
          <p class="notice" role="alert">
            {problems[state.trouble]}
          </p>
        )}
        <button type="submit" class="start" disabled={state.busy} aria-busy={state.busy}>
          {state.busy ? texts.starting : texts.start}
        </button>
      </form>
    </div>
  );
}
