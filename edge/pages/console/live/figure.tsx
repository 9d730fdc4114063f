import { type ComponentChildren, Fragment } from "preact";

/** One number of the desk: its name and its exact value stand beside how it is written. */
export function Figure(props: { name: string; value: number; children: ComponentChildren }) {
  return (
    <data data-figure={props.name} value={String(props.value)}>
      {props.children}
    </data>
  );
}

/** A sentence of the texts, with figures where its names in braces are. */
export function Says(props: { text: string; parts: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <>
      {props.text.split(/\{(\w+)\}/).map((piece, i) => (
        <Fragment key={i}>{i % 2 === 0 ? piece : props.parts[piece]}</Fragment>
      ))}
    </>
  );
}
