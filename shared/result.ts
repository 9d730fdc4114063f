/** An expected outcome as plain data: verdicts travel, exceptions are for bugs. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });
export const err = <E>(error: E): { ok: false; error: E } => ({ ok: false, error });

/** A bug, not a refusal: on in production, answered with 500, nothing leaked. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${sentence}`);
}

/** Closes a `switch` over a union: a new member is a compile error here. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`);
}
