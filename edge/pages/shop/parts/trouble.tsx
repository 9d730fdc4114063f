import { ERRORS, type ErrorCode } from "../../../../shared/errors.ts";
import type { Reply } from "../../kit/api.ts";
import type { ProblemTexts } from "../../kit/problems/en.ts";
import { useWords } from "../words.tsx";

type Failure = Exclude<Reply<unknown>, { kind: "ok" }>;

/** The code that a failed call stands for; a lost connection has none, and says so. */
export type TroubleCode = ErrorCode | "network";

export function codeOf(reply: Failure): TroubleCode {
  if (reply.kind === "network") return "network";
  const { code } = reply.problem;
  return Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : "internal";
}

export const sentenceOf = (problems: ProblemTexts, code: TroubleCode): string => problems[code];

/** One refusal in the fan's language, with its next step in the sentence. */
export function Trouble({ code }: { code: TroubleCode | undefined }) {
  const { problems } = useWords();
  return (
    <p class="notice" role="alert" hidden={code === undefined}>
      {code === undefined ? "" : sentenceOf(problems, code)}
    </p>
  );
}
