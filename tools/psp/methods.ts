// What each test payment method does, as data. All delays are in real milliseconds before the
// time scale; the server multiplies them. The simulator plays a provider that misbehaves in
// ways real ones have been seen to, so that nobody has to wait for a bad day to meet them.

/** When the money moves, relative to the arrival of the confirm. */
type Capture = { when: "at_once" } | { when: "after"; ms: number } | { when: "never" };

/** How the caller of confirm learns of it. */
type Answer =
  | { how: "normal" }
  | { how: "after"; ms: number }
  | { how: "drop" }
  | { how: "silence" }
  | { how: "server_error" };

export type Behaviour = {
  outcome: "succeeded" | "failed";
  reason?: string;
  capture: Capture;
  answer: Answer;
  /** For how long after the confirm inquiries and cancels pretend not to know the charge. */
  hiddenMs: number;
  /** When the webhook leaves, counted from the confirm. `null`: no webhook. */
  webhookMs: number | null;
  webhookCopies: number;
  /** Added to the amount that is captured, in minor units. */
  amountError: number;
};

const ok: Behaviour = {
  outcome: "succeeded",
  capture: { when: "at_once" },
  answer: { how: "normal" },
  hiddenMs: 0,
  webhookMs: 50,
  webhookCopies: 1,
  amountError: 0,
};

export const METHODS = {
  pm_ok: ok,
  pm_declined: { ...ok, outcome: "failed", reason: "card_declined" },
  pm_slow: { ...ok, answer: { how: "after", ms: 31_000 }, webhookMs: 32_000 },
  pm_late: {
    ...ok,
    capture: { when: "after", ms: 40_000 },
    answer: { how: "after", ms: 40_000 },
    webhookMs: 41_000,
  },
  pm_lost: { ...ok, answer: { how: "drop" }, webhookMs: 8_000 },
  pm_error: { ...ok, capture: { when: "never" }, answer: { how: "server_error" }, webhookMs: null },
  pm_lagging: { ...ok, answer: { how: "drop" }, hiddenMs: 60_000, webhookMs: 62_000 },
  pm_dup_webhook: { ...ok, webhookCopies: 3 },
  pm_late_webhook: { ...ok, webhookMs: 30_000 },
  pm_only_webhook: { ...ok, answer: { how: "silence" }, webhookMs: 3_000 },
  pm_wrong_amount: { ...ok, amountError: 1 },
} as const satisfies Record<string, Behaviour>;

export type MethodId = keyof typeof METHODS;

export const isMethodId = (value: unknown): value is MethodId =>
  typeof value === "string" && Object.hasOwn(METHODS, value);
