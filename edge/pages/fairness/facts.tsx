import type { FairnessReport } from "../../../shared/contract/rooms.ts";
import { fill, formatFor, type Language } from "../kit/i18n.ts";
import { TEXTS } from "./texts.ts";

type Fact = { id: string; isGood: boolean; title: string; more: string };

/** Four questions and their answers, each with what it was counted from. */
export function FairnessFacts(props: { report: FairnessReport; language: Language }) {
  const { report } = props;
  const texts = TEXTS[props.language];
  const format = formatFor(props.language);
  const { number } = format;
  const { inversions, overAdmissions, promises, letIn } = report;
  const kept = promises.made === 0 ? 1 : promises.kept / promises.made;
  const percent = new Intl.NumberFormat(format.locale, {
    style: "percent",
    maximumFractionDigits: 1,
  });
  const facts: Fact[] = [
    {
      id: "over",
      isGood: overAdmissions.count === 0,
      title: fill(texts.over, { count: number(overAdmissions.count) }),
      more: fill(texts.overMore, {
        busiest: number(overAdmissions.busiestMinute),
        rate: number(overAdmissions.rateThen),
      }),
    },
    {
      id: "inversions",
      isGood: inversions.count <= report.admitted * 0.05,
      title: fill(texts.inversions, { count: number(inversions.count) }),
      more: fill(texts.inversionsMore, {
        missed: number(inversions.afterMiss),
        largest: number(inversions.largest),
      }),
    },
    {
      id: "promises",
      isGood: kept >= 0.85,
      title: fill(texts.promises, { share: percent.format(kept) }),
      more: fill(texts.promisesMore, { kept: number(promises.kept), made: number(promises.made) }),
    },
    {
      id: "letIn",
      isGood: letIn.count === 0,
      title: fill(texts.letIn, { count: number(letIn.count) }),
      more: texts.letInMore,
    },
    {
      id: "resets",
      isGood: report.resets === 0,
      title: fill(texts.resets, { count: number(report.resets) }),
      more: texts.resetsMore,
    },
  ];
  return (
    <>
      <p class="fairness-sum">
        {fill(texts.admitted, { count: number(report.admitted) })}{" "}
        <small class="muted">{format.dateTime(report.at)}</small>
      </p>
      <ul class="fairness">
        {facts.map(({ id, isGood, title, more }) => (
          <li key={id} data-fairness={id} class={isGood ? "good" : "look"}>
            <i aria-hidden="true">{isGood ? "✓" : "!"}</i>
            <span>
              <b>{title}</b>
              <small>{more}</small>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
