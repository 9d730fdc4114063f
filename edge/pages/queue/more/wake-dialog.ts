import { make, setLine, setText } from "../../kit/dom.ts";
import { choose, hasChosen } from "../choices.ts";
import type { Facts } from "../facts.ts";
import { credentialOf } from "../line.ts";
import { openDialog } from "./dialog.ts";
import { ringSound, unlockSound } from "./sound.ts";
import type { MoreTexts } from "./texts/en.ts";
import { type Abilities, abilities, askGate } from "./wake.ts";

/** One switch, a test of the sound, and plain words on what this device can and cannot do. */

function wordsFor(can: Abilities, texts: MoreTexts, isPushed: boolean): string[] {
  const notification = {
    granted: texts.notifyYes,
    default: texts.notifyAsk,
    denied: texts.notifyNo,
    none: texts.notifyNone,
  }[can.notification];
  return [
    can.sound ? texts.soundYes : texts.soundNo,
    can.vibration ? texts.vibrateYes : texts.vibrateNo,
    notification,
    isPushed ? texts.pushYes : texts.pushNo,
    ...(can.needsHomeScreen ? [texts.homeScreen] : []),
  ];
}

function makeSwitch(label: string, isOn: boolean) {
  const input = make("input", { attributes: { type: "checkbox" } });
  input.checked = isOn;
  return {
    input,
    row: make("label", { className: "switch" }, input, make("span", { text: label })),
  };
}

export function openWake(facts: Facts, texts: MoreTexts): void {
  const { event } = facts;
  const wake = makeSwitch(texts.wakeSwitch, hasChosen("wake", event));
  const slow = makeSwitch(texts.slow, hasChosen("slow", event));
  const list = make("ul", { className: "can" });
  const said = make("p", { className: "said", attributes: { role: "status" } });
  const test = make("button", {
    className: "quiet",
    text: texts.test,
    attributes: { type: "button" },
  });
  const email = make("input", {
    attributes: { type: "email", id: "wake-email", autocomplete: "email", maxlength: "254" },
  });
  const save = make("button", {
    className: "quiet",
    text: texts.save,
    attributes: { type: "submit" },
  });
  const mailForm = make("form", { className: "mail" }, email, save);
  let isPushed = false;
  const show = () =>
    list.replaceChildren(
      ...wordsFor(abilities(), texts, isPushed).map((text) => make("li", { text })),
    );
  const tellGate = async () => {
    const credential = await credentialOf(facts);
    if (!credential) return;
    const address = email.value.trim();
    const taken = await askGate(event, {
      credential,
      texts,
      ...(address === "" ? {} : { email: address }),
    });
    isPushed = taken.push;
    const isDone = taken.push || taken.mail || address === "";
    setText(said, isDone ? texts.saved : texts.failed);
    show();
  };
  test.addEventListener("click", async () => {
    if (await unlockSound()) ringSound();
    if ("vibrate" in navigator) navigator.vibrate(200);
    show();
  });
  wake.input.addEventListener("change", async () => {
    const isOn = wake.input.checked;
    choose("wake", event, isOn);
    if (!isOn) {
      isPushed = false;
      setLine(said, undefined);
      const credential = await credentialOf(facts);
      if (credential) await askGate(event, { credential, texts, quiet: true });
      return show();
    }
    await unlockSound();
    if (abilities().notification === "default") await Notification.requestPermission();
    await tellGate();
  });
  slow.input.addEventListener("change", () => choose("slow", event, slow.input.checked));
  mailForm.addEventListener("submit", (submit) => {
    submit.preventDefault();
    if (email.value.trim() !== "" && email.reportValidity()) void tellGate();
  });
  show();
  openDialog(
    texts.wakeTitle,
    [
      make("p", { text: texts.wakeIntro }),
      wake.row,
      said,
      make("p", {}, test),
      make("h3", { text: texts.canTitle }),
      list,
      make("label", { text: texts.email, attributes: { for: "wake-email" } }),
      mailForm,
      make("p", { className: "muted", text: texts.emailKept }),
      slow.row,
      make("p", { className: "muted", text: texts.slowIntro }),
    ],
    { label: texts.close },
  );
}
