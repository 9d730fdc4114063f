import { encodeQR } from "qr";
import type { MoveReply } from "../../../../shared/contract/queue.ts";
import { call } from "../../kit/api.ts";
import { make, setText } from "../../kit/dom.ts";
import { type Format, fill } from "../../kit/i18n.ts";
import type { Facts } from "../facts.ts";
import { credentialOf } from "../line.ts";
import { openDialog } from "./dialog.ts";
import type { MoreTexts } from "./texts/en.ts";

/** The place goes along to another device: a link that is good once, to copy or to scan. */

const SVG = "http://www.w3.org/2000/svg";
const QUIET_CELLS = 4;

/** Drawn cell by cell: the policy of the page allows no markup from text. */
function drawQr(text: string, label: string): SVGElement {
  const cells = encodeQR(text, "raw", { border: QUIET_CELLS });
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${cells.length} ${cells.length}`);
  svg.setAttribute("class", "qr");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const path = document.createElementNS(SVG, "path");
  const steps = cells.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  path.setAttribute("d", steps.join(""));
  svg.append(path);
  return svg;
}

export async function openMove(facts: Facts, texts: MoreTexts, format: Format): Promise<void> {
  const credential = await credentialOf(facts);
  const reply = credential
    ? await call<MoveReply>(`/api/queue/${encodeURIComponent(facts.event)}/place/move`, {
        method: "POST",
        credential,
      })
    : undefined;
  if (reply?.kind !== "ok") {
    openDialog(texts.moveTitle, [make("p", { text: texts.failed })], { label: texts.close });
    return;
  }
  const { url, endsAt } = reply.data;
  const field = make("input", {
    attributes: { readonly: "", value: url, "aria-label": texts.moveTitle, dir: "ltr" },
  });
  const copy = make("button", {
    className: "quiet",
    text: texts.copy,
    attributes: { type: "button" },
  });
  copy.addEventListener("click", async () => {
    field.select();
    // Where the clipboard is kept from us, the selected text can be copied by hand.
    await navigator.clipboard?.writeText(url).then(
      () => setText(copy, texts.copied),
      () => undefined,
    );
  });
  openDialog(
    texts.moveTitle,
    [
      make("p", { text: texts.moveIntro }),
      drawQr(url, texts.qrAlt),
      make("p", { className: "mail" }, field, copy),
      make("p", { className: "muted", text: fill(texts.moveUntil, { time: format.time(endsAt) }) }),
    ],
    { label: texts.close },
  );
}

/** On the other device; nothing moves before the person has said so. */
export function askHere(texts: MoreTexts): Promise<boolean> {
  return new Promise((resolve) => {
    const yes = make("button", { text: texts.hereYes });
    yes.value = "here";
    openDialog(texts.hereTitle, [make("p", { text: texts.hereIntro })], {
      label: texts.hereNo,
      more: [yes],
      onClose: (value) => resolve(value === "here"),
    });
  });
}
