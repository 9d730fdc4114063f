// The Stripe adapter: a PaymentIntent per attempt, created without confirming and confirmed once. The
// official SDK sends again by itself: three times by default, and still twice on a reset connection
// with its retries set to 0. So it gets a transport whose errors it does not know as retryable, and
// an explicit time limit for every call (its own is 80 s).
import Stripe from "stripe";
import { err, ok, type Result } from "../../shared/result.ts";
import { dayAfter, dayStart } from "./days.ts";
import type { PaymentTimings } from "./limits.ts";
import {
  type ChargeAnswer,
  type NewCharge,
  NO_SUCH_INSTALMENTS,
  type PaymentProvider,
  type RefundAnswer,
  UNKNOWN_METHOD,
  type WebhookEvent,
} from "./provider.ts";
import { fromStripeAmount, toStripeAmount } from "./stripe-amounts.ts";
import { readStripeEvent, readStripeSettlement } from "./stripe-events.ts";

export const WEBHOOK_TOLERANCE_S = 300;
const REFUNDS_PER_CHARGE_MAX = 100;

export type StripeOptions = {
  secretKey: string;
  webhookSecret: string;
  timings: PaymentTimings;
  /** Tests point the SDK at a server of their own. */
  server?: { host: string; port: number; protocol: "http" | "https" };
};

/** A failed connection, told without the code that would make the SDK send again. */
const sendOnce = async (...request: Parameters<typeof fetch>): Promise<Response> => {
  try {
    return await fetch(...request);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code !== "ETIMEDOUT") {
      throw new Error(`no answer: ${error.message}`);
    }
    throw error;
  }
};

export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const { timings } = options;
  const stripe = new Stripe(options.secretKey, {
    httpClient: Stripe.createFetchHttpClient(sendOnce),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timings.confirmTimeoutMs,
    ...options.server,
  });
  const limit = (timeout: number) => ({ timeout, maxNetworkRetries: 0 });

  return {
    name: "stripe",
    account: "",
    timings,
    create: (charge) => create(stripe, charge, limit(timings.createTimeoutMs)),
    confirm: (ref, _requestId, instalments = 1) =>
      answerOf(() =>
        stripe.paymentIntents.confirm(
          ref,
          // Without a page to authenticate on, a card that asks for it is refused and not left open.
          { error_on_requires_action: true, ...planOf(instalments) },
          { ...limit(timings.confirmTimeoutMs), idempotencyKey: `${ref}:confirm` },
        ),
      ),
    inquire: (ref) =>
      answerOf(() => stripe.paymentIntents.retrieve(ref, {}, limit(timings.inquireTimeoutMs))),
    async cancel(ref) {
      const answer = await answerOf(() =>
        stripe.paymentIntents.cancel(ref, {}, limit(timings.cancelTimeoutMs)),
      );
      if (answer.state !== "unknown" || answer.reason !== "payment_intent_unexpected_state") {
        return answer;
      }
      return answerOf(() =>
        stripe.paymentIntents.retrieve(ref, {}, limit(timings.inquireTimeoutMs)),
      );
    },
    refund: ({ refund, ref, amount, currency }) =>
      refundAnswer(() =>
        stripe.refunds.create(
          {
            payment_intent: ref,
            amount: toStripeAmount(amount, currency),
            metadata: { refund },
          },
          { ...limit(timings.refundTimeoutMs), idempotencyKey: refund },
        ),
      ),
    inquireRefund: ({ refund, ref }) =>
      refundAnswer(async () => {
        const list = await stripe.refunds.list(
          { payment_intent: ref, limit: REFUNDS_PER_CHARGE_MAX },
          limit(timings.inquireTimeoutMs),
        );
        return list.data.find((one) => one.metadata?.["refund"] === refund);
      }),
    readWebhook: (headers, body) => readWebhook(stripe, options.webhookSecret, headers, body),
    settlement: (day, zone) =>
      readStripeSettlement(stripe, {
        from: dayStart(zone, day),
        to: dayStart(zone, dayAfter(day)),
      }),
  };
}

/** The bank's own plans of this card. One that it does not offer would leave the confirm without an end. */
const isOffered = (intent: Stripe.PaymentIntent, instalments: number): boolean =>
  intent.payment_method_options?.card?.installments?.available_plans?.some(
    ({ count, interval, type }) =>
      type === "fixed_count" && interval === "month" && count === instalments,
  ) ?? false;

/** Stripe takes the plan with the confirm alone. */
const planOf = (instalments: number): Stripe.PaymentIntentConfirmParams =>
  instalments > 1
    ? {
        payment_method_options: {
          card: {
            installments: { plan: { count: instalments, interval: "month", type: "fixed_count" } },
          },
        },
      }
    : {};

type Limit = { timeout: number; maxNetworkRetries: number };

async function create(stripe: Stripe, charge: NewCharge, limit: Limit) {
  const { order, attempt, key, amount, currency, method, instalments } = charge;
  try {
    const made = await stripe.paymentIntents.create(
      {
        amount: toStripeAmount(amount, currency),
        currency: currency.toLowerCase(),
        payment_method: method,
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
        ...(instalments > 1
          ? { payment_method_options: { card: { installments: { enabled: true } } } }
          : {}),
        metadata: { order, attempt, key },
      },
      { ...limit, idempotencyKey: attempt },
    );
    if (instalments > 1 && !isOffered(made, instalments))
      return { state: "refused", reason: NO_SUCH_INSTALMENTS } as const;
    return { state: "created", ref: made.id } as const;
  } catch (error) {
    const { refused, reason } = reasonOf(error);
    const isMethod =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.param === "payment_method";
    return {
      state: refused ? "refused" : "unknown",
      reason: isMethod ? UNKNOWN_METHOD : reason,
    } as const;
  }
}

/** Card errors and bad requests are real refusals; everything else says nothing about the money. */
function reasonOf(error: unknown): { refused: boolean; reason: string } {
  if (error instanceof Stripe.errors.StripeCardError) {
    return { refused: true, reason: error.decline_code ?? error.code ?? "card_declined" };
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    return { refused: true, reason: error.code ?? "invalid_request" };
  }
  if (error instanceof Stripe.errors.StripeError) return { refused: false, reason: error.type };
  throw error;
}

async function answerOf(call: () => Promise<Stripe.PaymentIntent>): Promise<ChargeAnswer> {
  try {
    return readIntent(await call());
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) {
      return { state: "failed", reason: reasonOf(error).reason };
    }
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) {
      return { state: "not_found" };
    }
    // Also a bad request: it may be the answer to a confirm that another state made impossible.
    return { state: "unknown", reason: reasonOf(error).reason };
  }
}

export function readIntent(intent: Stripe.PaymentIntent): ChargeAnswer {
  const currency = intent.currency.toUpperCase();
  switch (intent.status) {
    case "succeeded": {
      const amount = fromStripeAmount(intent.amount_received, currency);
      return amount === undefined
        ? { state: "unknown", reason: "an amount that is no whole unit" }
        : { state: "succeeded", amount, currency };
    }
    case "canceled":
      return { state: "cancelled" };
    case "requires_payment_method": {
      const failure = intent.last_payment_error;
      if (failure === null) return { state: "created" };
      return { state: "failed", reason: failure.decline_code ?? failure.code ?? "card_declined" };
    }
    case "requires_confirmation":
    case "requires_action":
    case "requires_capture":
      return { state: "created" };
    default:
      return { state: "unknown", reason: intent.status };
  }
}

async function refundAnswer(call: () => Promise<Stripe.Refund | undefined>): Promise<RefundAnswer> {
  try {
    const refund = await call();
    if (refund === undefined) return { state: "not_found" };
    switch (refund.status) {
      case "succeeded":
        return { state: "succeeded", ref: refund.id };
      case "failed":
      case "canceled":
        return { state: "failed", reason: refund.failure_reason ?? refund.status };
      default:
        return { state: "unknown", reason: refund.status ?? "pending" };
    }
  } catch (error) {
    const { refused, reason } = reasonOf(error);
    return refused ? { state: "failed", reason } : { state: "unknown", reason };
  }
}

function readWebhook(
  stripe: Stripe,
  secret: string,
  headers: Headers,
  body: string,
): Result<WebhookEvent, string> {
  try {
    const signature = headers.get("stripe-signature") ?? "";
    const event = stripe.webhooks.constructEvent(body, signature, secret, WEBHOOK_TOLERANCE_S);
    return ok(readStripeEvent(event));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return err(error.message);
    if (error instanceof SyntaxError) return err("signed, and not JSON");
    throw error;
  }
}
