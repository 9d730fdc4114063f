import { byId, idFromPath, make, setText } from "../kit/dom.ts";
import { keepAnswer } from "../kit/human-answer.ts";
import { forgetHumanCheck, humanCheckOf } from "../kit/human-check.ts";
import { applyLanguage, type Language, pickLanguage } from "../kit/i18n.ts";
import { languageSwitch } from "../kit/language-switch.ts";
import { TEXTS } from "./texts.ts";
import { loadTurnstile } from "./turnstile.ts";

/** The check before a place in a room with `challenge: turnstile`; its answer goes back to the line. */

type Said = "wait" | "failed" | "unreachable" | "unsupported";

const event = idFromPath();
const line = `/e/${encodeURIComponent(event)}`;
let language: Language = pickLanguage();
let said: Said = "wait";

function draw(): void {
  const texts = TEXTS[language];
  document.title = `${texts.heading} · Sıra`;
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    const text: unknown = Reflect.get(texts, element.dataset["text"] ?? "");
    if (typeof text === "string") setText(element, text);
  }
  setText(byId("said"), said === "wait" ? "" : texts[said]);
  byId("again").hidden = said === "wait";
}

function say(next: Said): void {
  said = next;
  draw();
}

/** Without a question nobody has to answer: the line asks again if it still wants to know. */
async function ask(): Promise<void> {
  const check = await humanCheckOf(event);
  if (check === undefined) return location.replace(line);
  say("wait");
  // The widget keeps the language it was drawn in, and a used one is not drawn again.
  const ground = make("div");
  byId("widget").replaceChildren(ground);
  try {
    const turnstile = await loadTurnstile(check.script);
    turnstile.render(ground, {
      sitekey: check.siteKey,
      action: check.action,
      cData: check.cData,
      language,
      theme: "auto",
      callback: (token) => {
        void Promise.all([keepAnswer(event, token), forgetHumanCheck(event)]).then(() =>
          location.replace(line),
        );
      },
      "error-callback": () => {
        say("failed");
        return true;
      },
      "expired-callback": () => say("failed"),
      "unsupported-callback": () => say("unsupported"),
    });
  } catch {
    say("unreachable");
  }
}

applyLanguage(language);
languageSwitch(byId("language") as HTMLSelectElement, language, (next) => {
  language = next;
  draw();
  void ask();
});
byId("again").addEventListener("click", () => void ask());
(byId("back") as HTMLAnchorElement).href = line;
draw();
void ask();
