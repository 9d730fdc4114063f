// The named steps of a payment, and what a process with fail points does at the one it was told of:
// it tells its parent and waits. What comes then (a kill, a stop, a cut, nothing) is the test's.

export const STEPS = [
  "attempt",
  "create",
  "begin",
  "confirm",
  "record",
  "settle",
  "inquire",
  "cancel",
  "refund",
  "webhook",
] as const;
export type Step = (typeof STEPS)[number];
export type Point = `${Step}.${"before" | "after"}`;

const FUNCTIONS: Readonly<Record<string, Step>> = {
  create_attempt: "attempt",
  begin_attempt: "begin",
  record_attempt_success: "record",
  record_attempt_failure: "record",
  record_attempt_unknown: "record",
  settle_order: "settle",
  record_webhook: "webhook",
};

export const stepOfFunction = (fn: string): Step | undefined =>
  Object.hasOwn(FUNCTIONS, fn) ? FUNCTIONS[fn] : undefined;

/** `FAIL_AT`: the point to wait at; `FAIL_AT_NTH`: only when it is reached for that time. */
const { FAIL_AT: wanted, FAIL_AT_NTH: nth = "1" } = process.env;
let times = 0;

export async function reach(point: Point): Promise<void> {
  if (point !== wanted) return;
  times += 1;
  if (times !== Number(nth)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once("message", () => resolve());
  process.send?.({ reached: point });
  await promise;
}
