/** How long a wait is, from near to far: the form in which the gate says it and pages read it. */
export interface WaitSpan {
  readonly ahead: number;
  readonly lowMs: number;
  readonly highMs: number;
}

/** The range for so many numbers ahead: straight between the spans, in proportion beyond the last. */
export function spanFor(
  spans: readonly WaitSpan[],
  ahead: number,
): { lowMs: number; highMs: number } | undefined {
  const last = spans.at(-1);
  if (!last || ahead <= 0) return undefined;
  const at = spans.findIndex((span) => ahead <= span.ahead);
  if (at < 0) {
    const times = ahead / last.ahead;
    return { lowMs: last.lowMs * times, highMs: last.highMs * times };
  }
  const from = spans[at - 1] ?? { ahead: 0, lowMs: 0, highMs: 0 };
  const to = spans[at] ?? last;
  const share = (ahead - from.ahead) / (to.ahead - from.ahead);
  return {
    lowMs: from.lowMs + (to.lowMs - from.lowMs) * share,
    highMs: from.highMs + (to.highMs - from.highMs) * share,
  };
}
