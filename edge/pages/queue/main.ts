import { byId, idFromPath, setText } from "../kit/dom.ts";
import { applyLanguage, formatFor, type Language, pickLanguage } from "../kit/i18n.ts";
import { languageSwitch } from "../kit/language-switch.ts";
import { isDurable, loadAll } from "../kit/store.ts";
import { type Facts, freshFacts } from "./facts.ts";
import { startPoller } from "./poller.ts";
import { type Drawing, render } from "./render.ts";
import type { QueueTexts } from "./texts/en.ts";

/** The queue page: takes a place, keeps it, and goes on to the shop when it is called. */

const TEXTS: Readonly<Record<Language, () => Promise<{ texts: QueueTexts }>>> = {
  tr: () => import("./texts/tr.ts"),
  en: () => import("./texts/en.ts"),
  de: () => import("./texts/de.ts"),
  fr: () => import("./texts/fr.ts"),
  es: () => import("./texts/es.ts"),
  ar: () => import("./texts/ar.ts"),
  ru: () => import("./texts/ru.ts"),
};

const TICK_MS = 1_000;

async function speak(language: Language): Promise<Pick<Drawing, "texts" | "format">> {
  const { texts } = await TEXTS[language]();
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    const text: unknown = Reflect.get(texts, element.dataset["text"] ?? "");
    if (typeof text === "string") setText(element, text);
  }
  return { texts, format: formatFor(language) };
}

async function findOrder(event: string): Promise<string | undefined> {
  const orders = await loadAll<{ event: string }>("order:");
  return orders.findLast(([, order]) => order.event === event)?.[0].slice("order:".length);
}

async function start(): Promise<void> {
  const event = idFromPath();
  const language = pickLanguage();
  applyLanguage(language);
  let drawing: Drawing = {
    ...(await speak(language)),
    facts: freshFacts(event),
    durable: await isDurable(),
    order: await findOrder(event),
  };
  let isGoing = false;
  const draw = (leading: boolean) => {
    const view = render(drawing);
    const target = drawing.facts.continueTo;
    // Only what the door itself said in this page's hearing moves anybody, and only once.
    if (view.screen === "going" && leading && target !== undefined && !isGoing) {
      isGoing = true;
      location.assign(new URL(target, location.href));
    }
  };
  const update = (facts: Facts, leading: boolean) => {
    drawing = { ...drawing, facts };
    draw(leading);
  };
  languageSwitch(byId("language") as HTMLSelectElement, language, async (next) => {
    drawing = { ...drawing, ...(await speak(next)) };
    draw(false);
  });
  if (!globalThis.isSecureContext || !crypto.subtle) {
    update({ ...drawing.facts, end: "insecure" }, false);
    return;
  }
  draw(false);
  const poller = startPoller(event, {
    locale: () => document.documentElement.lang,
    onChange: update,
  });
  setInterval(() => draw(false), TICK_MS);

  const dialog = byId("confirm") as HTMLDialogElement;
  byId("leave").addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "leave") void poller.leave();
  });
  byId("again").addEventListener("click", () => void poller.joinAgain());
  // A page that comes back from the browser's memory has old facts.
  addEventListener("pageshow", (page) => {
    if (page.persisted) location.reload();
  });
}

void start();
