import type { TroubleCode } from "../shop/parts/failure.ts";
import { useWords } from "./words.ts";

export function Trouble({ code }: { code: TroubleCode | undefined }) {
  const { problems } = useWords();
  if (code === undefined) return null;
  return (
    <p class="notice" role="alert">
      {problems[code]}
    </p>
  );
}
