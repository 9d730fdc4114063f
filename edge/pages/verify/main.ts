import type { Check } from "../../../shared/draw/check.ts";
import type { Evidence } from "../../../shared/draw/evidence.ts";
import type { Verification } from "../../../shared/draw/verify.ts";
import { call } from "../kit/api.ts";
import { byId, idFromPath, make, setText } from "../kit/dom.ts";
import { applyLanguage, fill, formatFor, type Language, pickLanguage } from "../kit/i18n.ts";
import { languageSwitch } from "../kit/language-switch.ts";
import { load } from "../kit/store.ts";
import type { VerifyTexts } from "./texts/en.ts";

/** The draw, done again in the fan's own browser from the evidence that the gate publishes. */

const TEXTS: Readonly<Record<Language, () => Promise<{ texts: VerifyTexts }>>> = {
  tr: () => import("./texts/tr.ts"),
  en: () => import("./texts/en.ts"),
  de: () => import("./texts/de.ts"),
  fr: () => import("./texts/fr.ts"),
  es: () => import("./texts/es.ts"),
  ar: () => import("./texts/ar.ts"),
  ru: () => import("./texts/ru.ts"),
};

type Mine = { number?: number; place?: { id: string; index?: number } };
type State = {
  evidence?: Evidence;
  result?: Verification;
  failure?: "unreachable" | "noDraw";
  mine?: Mine | undefined;
};

/** What can be said before there is a draw: how often one was thrown away. */
const BEFORE_THE_DRAW: readonly Check["id"][] = ["abandoned", "abandoned_seed", "epochs"];
const MARKS: Readonly<Record<Check["result"], string>> = { passed: "✓", failed: "✕", note: "i" };
const event = idFromPath();
let state: State = {};
let language = pickLanguage();

function verdictOf(texts: VerifyTexts): { head: string; more: string; kind: "" | "good" | "bad" } {
  const { evidence, result, failure, mine } = state;
  const format = formatFor(language);
  if (failure === "noDraw") return { head: texts.noDraw, more: texts.noDrawMore, kind: "" };
  if (failure) return { head: texts.bad, more: texts.unreachable, kind: "" };
  if (!evidence || !result) return { head: texts.loading, more: "", kind: "" };
  if (evidence.state !== "drawn") return { head: texts.notYet, more: texts.notYetMore, kind: "" };
  if (!result.ok) return { head: texts.bad, more: texts.badMore, kind: "bad" };
  const index = mine?.place?.index;
  const isMine = index !== undefined && result.number !== undefined;
  const more = isMine
    ? fill(texts.yourNumber, {
        number: format.number(result.number ?? 0),
        index: format.number(index),
      })
    : texts.noPlace;
  return { head: texts.good, more, kind: "good" };
}

function checkLine(check: Check, texts: VerifyTexts): HTMLElement {
  return make(
    "li",
    { className: check.result },
    make("span", {
      className: "mark",
      text: MARKS[check.result],
      attributes: { "aria-hidden": "true" },
    }),
    make("b", { text: texts.titles[check.id] }),
    make("p", { text: check.says, attributes: { lang: "en", dir: "ltr" } }),
  );
}

async function draw(): Promise<void> {
  const { texts } = await TEXTS[language]();
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    const text: unknown = Reflect.get(texts, element.dataset["text"] ?? "");
    if (typeof text === "string") setText(element, text);
  }
  document.title = `${texts.heading} · Sıra`;
  const { head, more, kind } = verdictOf(texts);
  byId("result").className = `result ${kind}`;
  setText(byId("verdict"), head);
  setText(byId("explain"), more);
  const { evidence, result } = state;
  const isDrawn = evidence?.state === "drawn";
  byId("ask").hidden = !isDrawn;
  byId("checks").replaceChildren(
    ...(result?.checks ?? [])
      .filter(({ id }) => isDrawn || BEFORE_THE_DRAW.includes(id))
      .map((check) => checkLine(check, texts)),
  );
  byId("raw").hidden = !evidence;
  if (!evidence) return;
  const facts: [string, string | undefined][] = [
    [texts.commitment, evidence.commitment],
    [texts.seed, evidence.seed],
    [texts.count, evidence.pool && formatFor(language).number(evidence.pool.count)],
    [texts.root, evidence.pool?.root],
  ];
  byId("numbers").replaceChildren(
    ...facts
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) =>
        make("div", {}, make("dt", { text: name }), make("dd", { text: value ?? "" })),
      ),
  );
}

async function verify(question: { number?: number; every?: boolean }): Promise<void> {
  const { evidence, mine } = state;
  if (!evidence) return;
  const { verifyEvidence } = await import("../../../shared/draw/verify.ts");
  const index = mine?.place?.index;
  const isOwn = question.number === undefined && index !== undefined;
  state = {
    ...state,
    result: verifyEvidence(evidence, {
      ...(isOwn ? { index, place: mine?.place?.id } : { number: question.number }),
      every: question.every,
    }),
  };
  await draw();
}

async function start(): Promise<void> {
  applyLanguage(language);
  languageSwitch(byId("language") as HTMLSelectElement, language, (next) => {
    language = next;
    void draw();
  });
  const encoded = encodeURIComponent(event);
  (byId("back") as HTMLAnchorElement).href = `/e/${encoded}`;
  await draw();
  const mine = await load<Mine>(`place:${event}`);
  const index = mine?.place?.index;
  const path = `/api/queue/${encoded}/draw${index === undefined ? "" : `?index=${index}`}`;
  (byId("download") as HTMLAnchorElement).href = path;
  const reply = await call<Evidence>(path);
  if (reply.kind === "ok") state = { evidence: reply.data, mine };
  else
    state = { failure: reply.kind === "problem" && reply.status < 500 ? "noDraw" : "unreachable" };
  await verify({});
  await draw();
  byId("ask").addEventListener("submit", (submit) => {
    submit.preventDefault();
    const number = Number((byId("asked") as HTMLInputElement).value);
    void verify(number > 0 ? { number } : {});
  });
  byId("every").addEventListener("click", () => void verify({ every: true }));
}

void start();
