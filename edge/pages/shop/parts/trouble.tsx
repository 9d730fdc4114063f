import { useWords } from "../words.ts";
import type { TroubleCode } from "./failure.ts";
import { NEXT_STEPS } from "./next-step.ts";

type Props = {
  code: TroubleCode | undefined;
  /** For "to the line". */
  event?: string | undefined;
  /** For "leave it out": what was refused goes, and the rest is tried again. */
  onLeaveOut?: (() => void) | undefined;
};

/** One refusal in the fan's language, and the next step: a sentence, and a button where there is one. */
export function Trouble({ code, event, onLeaveOut }: Props) {
  const { problems, texts } = useWords();
  if (code === undefined) return null;
  const step = NEXT_STEPS[code];
  const label = texts.steps[step];
  return (
    <div class="notice" role="alert" data-code={code}>
      <p>{problems[code]}</p>
      {step === "reload" || step === "lookAgain" ? (
        <button type="button" class="quiet" onClick={() => location.reload()}>
          {label}
        </button>
      ) : null}
      {step === "toLine" && event !== undefined ? (
        <a class="button quiet" href={`/e/${encodeURIComponent(event)}`}>
          {label}
        </a>
      ) : null}
      {step === "toEvents" ? (
        <a class="button quiet" href="/">
          {label}
        </a>
      ) : null}
      {step === "leaveOut" && onLeaveOut ? (
        <button type="button" class="quiet" onClick={onLeaveOut}>
          {label}
        </button>
      ) : null}
    </div>
  );
}
