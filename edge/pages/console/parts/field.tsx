import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

type Text = {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: string;
  type?: "text" | "search" | "url" | "datetime-local" | "color" | "date";
  required?: boolean;
  maxLength?: number;
  disabled?: boolean;
  pattern?: string;
};

type Kind = NonNullable<Text["type"]>;

/** Each kind of input is a type of its own to the compiler. */
function kindOf(type: Kind) {
  switch (type) {
    case "search":
      return { type: "search" } as const;
    case "url":
      return { type: "url" } as const;
    case "text":
      return { type: "text" } as const;
    case "datetime-local":
    case "date":
    case "color":
      return { type } as const;
  }
}

/** The hint describes the field and is no part of its name. */
function Labelled(props: {
  label: string;
  hint: string | undefined;
  children: (ids: { id: string; "aria-describedby"?: string }) => ComponentChildren;
}) {
  const id = useId();
  const hasHint = props.hint !== undefined && props.hint !== "";
  const ids = { id, ...(hasHint ? { "aria-describedby": `${id}-hint` } : {}) };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children(ids)}
      {hasHint ? <small id={`${id}-hint`}>{props.hint}</small> : null}
    </div>
  );
}

export function TextField({ label, value, onValue, hint, type = "text", ...more }: Text) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          {...more}
          {...kindOf(type)}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

type Numeric = {
  label: string;
  value: number;
  onValue: (value: number) => void;
  min?: number;
  max?: number;
  step?: number | "any";
  hint?: string;
  disabled?: boolean;
  required?: boolean;
  placeholder?: string;
};

export function NumberField({ label, value, onValue, hint, ...more }: Numeric) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          required
          {...more}
          type="number"
          value={Number.isNaN(value) ? "" : value}
          onInput={(event) => onValue(event.currentTarget.valueAsNumber)}
        />
      )}
    </Labelled>
  );
}

export function AreaField({ label, value, onValue, hint, maxLength }: Omit<Text, "type">) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => (
        <textarea
          {...ids}
          rows={3}
          maxLength={maxLength}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

type Choice<T extends string> = {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onValue: (value: T) => void;
  hint?: string;
  disabled?: boolean;
};

export function ChoiceField<T extends string>(props: Choice<T>) {
  const { label, value, options, onValue, hint, disabled } = props;
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          disabled={disabled}
          onChange={(event) => {
            const found = options.find(([id]) => id === event.currentTarget.value);
            if (found) onValue(found[0]);
          }}
        >
          {options.map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

export function Check(props: { label: string; value: boolean; onValue: (value: boolean) => void }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.value}
        onChange={(event) => props.onValue(event.currentTarget.checked)}
      />
      <span>{props.label}</span>
    </label>
  );
}

export function Card(props: {
  title: string;
  more?: ComponentChildren;
  children: ComponentChildren;
  kind?: string;
}) {
  return (
    <section class={`card ${props.kind ?? ""}`}>
      <header class="card-head">
        <h2>{props.title}</h2>
        {props.more}
      </header>
      {props.children}
    </section>
  );
}

/** What came of the last act; read out when it appears. */
export function Said({ said }: { said: { text: string; isTrouble: boolean } | undefined }) {
  return (
    <div role="status">
      {said === undefined ? null : <p class={said.isTrouble ? "notice" : "done"}>{said.text}</p>}
    </div>
  );
}
export type Word = { text: string; isTrouble: boolean };
