import { byId, idFromPath, setText } from "../kit/dom.ts";
import { applyLanguage, formatFor, type Language, pickLanguage } from "../kit/i18n.ts";
import { languageSwitch } from "../kit/language-switch.ts";
import { isDurable, loadAll } from "../kit/store.ts";
import { hasChosen } from "./choices.ts";
import { type Facts, freshFacts } from "./facts.ts";
import { isInApp } from "./in-app.ts";
import type { Part } from "./more/more.ts";
import { startPoller } from "./poller.ts";
import { type Drawing, render } from "./render.ts";
import type { QueueTexts } from "./texts/en.ts";
import type { View } from "./view.ts";

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
const PARTS: readonly Part[] = ["wake", "takeAlong", "places", "howReal"];
const TICK_MS = 1_000;
/** A page that has gone on is silent: whoever wanted to be woken hears it first. */
const RING_MS = 1_800;

const loadMore = () => import("./more/more.ts");

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

/** A link that brings a place along; it leaves the address and the history at once. */
function takeMove(): string | undefined {
  const move = /^#move=(mov_[\w-]{1,90})$/.exec(location.hash)?.[1];
  if (move !== undefined) history.replaceState(null, "", location.pathname + location.search);
  return move;
}

/** What a called page does, once for each call. */
function makeCaller(event: string, language: () => Language) {
  let rung = "";
  let isGoing = false;
  let stayAwake: Promise<typeof import("./awake.ts")> | undefined;
  return (view: View, facts: Facts, leading: boolean): void => {
    const { screen } = view;
    const isCalled = screen === "ready" || screen === "going";
    const isNear = isCalled || screen === "near";
    if (isNear) stayAwake ??= import("./awake.ts");
    void stayAwake?.then(
      (code) => code.stayAwake(isNear),
      () => {
        stayAwake = undefined;
      },
    );
    if (!isCalled) rung = "";
    const wakes = leading && isCalled && rung === "" && hasChosen("wake", event);
    if (wakes) {
      rung = screen;
      void loadMore().then(({ ring }) => ring(event, language()));
    }
    // Only what the door itself said in this page's hearing moves anybody, and only once.
    const target = facts.continueTo;
    if (screen !== "going" || !leading || target === undefined || isGoing) return;
    isGoing = true;
    if (hasChosen("slow", event)) return;
    setTimeout(() => location.assign(new URL(target, location.href)), wakes ? RING_MS : 0);
  };
}

async function start(): Promise<void> {
  const event = idFromPath();
  let language = pickLanguage();
  applyLanguage(language);
  let drawing: Drawing = {
    ...(await speak(language)),
    facts: freshFacts(event),
    durable: await isDurable(),
    inApp: isInApp(navigator.userAgent),
    order: await findOrder(event),
  };
  const onCall = makeCaller(event, () => language);
  const draw = (leading: boolean) => onCall(render(drawing), drawing.facts, leading);
  const update = (facts: Facts, leading: boolean) => {
    drawing = { ...drawing, facts };
    draw(leading);
  };
  languageSwitch(byId("language") as HTMLSelectElement, language, async (next) => {
    language = next;
    drawing = { ...drawing, ...(await speak(next)) };
    draw(false);
  });
  for (const part of PARTS)
    byId(part).addEventListener("click", async () => {
      const { openPart } = await loadMore();
      await openPart(part, { facts: drawing.facts, language, format: drawing.format });
    });
  if (location.pathname === "/preview") {
    const { startPreview } = await import("./preview/preview.ts");
    startPreview({
      show: (facts, changes) => {
        drawing = { ...drawing, ...changes };
        update(facts, false);
      },
      speak: async (next) => {
        applyLanguage(next);
        language = next;
        drawing = { ...drawing, ...(await speak(next)) };
      },
    });
    return;
  }
  if (!globalThis.isSecureContext || !crypto.subtle) {
    update({ ...drawing.facts, end: "insecure" }, false);
    return;
  }
  draw(false);
  const offered = takeMove();
  const isHere = offered !== undefined && (await (await loadMore()).askMoveHere(language));
  const poller = startPoller(event, {
    locale: () => document.documentElement.lang,
    slow: () => hasChosen("slow", event),
    move: isHere ? offered : undefined,
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
  if ("serviceWorker" in navigator)
    void import("./more/shell.ts").then(({ keepShell }) => keepShell());
}

void start();
