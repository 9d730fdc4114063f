// What the doctor says: one sentence of fact, and where something is wrong one of what to do.
export type Finding = {
  /** `bad` must be mended before a sale, `look` should be known, `good` is as it should be. */
  readonly level: "good" | "look" | "bad";
  readonly part: string;
  readonly says: string;
  readonly remedy?: string;
};

export const good = (part: string, says: string): Finding => ({ level: "good", part, says });
export const look = (part: string, says: string, remedy: string): Finding => ({
  ...{ level: "look", part, says, remedy },
});
export const bad = (part: string, says: string, remedy: string): Finding => ({
  ...{ level: "bad", part, says, remedy },
});

/** A check that could not be made is a finding too, never a crash. */
export async function examine(
  part: string,
  remedy: string,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [bad(part, `could not be asked: ${sentenceOf(error)}`, remedy)];
  }
}

/** Drivers put addresses with passwords into their messages. */
function sentenceOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message || cause.name : String(cause);
  return text.replace(/\/\/[^/@\s]*@/g, "//…@").slice(0, 300);
}
