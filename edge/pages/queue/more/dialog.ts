import { make } from "../../kit/dom.ts";

/** A dialog of its own for each part; it leaves the page when it is closed. */
export function openDialog(
  title: string,
  parts: readonly Node[],
  closing: { label: string; onClose?: (value: string) => void; more?: readonly Node[] },
): HTMLDialogElement {
  const id = `title-${Math.random().toString(36).slice(2)}`;
  const heading = make("h2", { text: title, attributes: { id } });
  const close = make("button", { className: "quiet", text: closing.label });
  close.value = "close";
  const form = make(
    "form",
    { className: "actions", attributes: { method: "dialog" } },
    ...(closing.more ?? []),
    close,
  );
  const dialog = make(
    "dialog",
    { className: "more", attributes: { "aria-labelledby": id } },
    heading,
    ...parts,
    form,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    closing.onClose?.(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
