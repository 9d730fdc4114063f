import { render } from "preact";
import type { FairnessReport } from "../../../shared/contract/rooms.ts";
import { call } from "../kit/api.ts";
import { byId, idFromPath } from "../kit/dom.ts";
import { applyLanguage, formatFor, type Language, pickLanguage } from "../kit/i18n.ts";
import { languageSwitch } from "../kit/language-switch.ts";
import { FairnessFacts } from "./facts.tsx";
import { TEXTS } from "./texts.ts";

/** A sale's fairness report, for everybody, once its organizer has published it. */

let language: Language = pickLanguage();
let report: FairnessReport | undefined;
let isRead = false;

function draw(): void {
  const texts = TEXTS[language];
  document.title = `${texts.title} · Sıra`;
  byId("language-label").textContent = texts.language;
  render(
    <article class="report">
      <h1>{texts.title}</h1>
      {report === undefined ? (
        <p>{isRead ? texts.notPublished : texts.loading}</p>
      ) : (
        <>
          <FairnessFacts report={report} language={language} />
          <ActsOf report={report} language={language} />
          <p>
            <a href={`/verify/${report.event}`}>{texts.draw}</a>
          </p>
        </>
      )}
    </article>,
    byId("main"),
  );
}

function ActsOf(props: { report: FairnessReport; language: Language }) {
  const { acts } = props.report.letIn;
  const format = formatFor(props.language);
  if (acts.length === 0) return null;
  return (
    <section>
      <h2>{TEXTS[props.language].letInActs}</h2>
      <ul>
        {acts.map(({ at, reason }) => (
          <li key={at}>
            {format.dateTime(at)}: {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}

applyLanguage(language);
const select = byId("language");
if (select instanceof HTMLSelectElement)
  languageSwitch(select, language, (next) => {
    language = next;
    draw();
  });
draw();
void call<FairnessReport>(`/api/queue/${encodeURIComponent(idFromPath())}/fairness`).then(
  (reply) => {
    isRead = true;
    if (reply.kind === "ok") report = reply.data;
    draw();
  },
);
