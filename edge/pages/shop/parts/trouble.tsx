import { useWords } from "../words.tsx";
import type { TroubleCode } from "./failure.ts";

/** One refusal in the fan's language, with its next step in the sentence. */
export function Trouble({ code }: { code: TroubleCode | undefined }) {
  const { problems } = useWords();
  if (code === undefined) return null;
  return (
    <p class="notice" role="alert">
      {problems[code]}
    </p>
  );
}
