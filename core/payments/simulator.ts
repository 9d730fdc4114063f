// The adapter of the payment simulator (`tools/psp`). One HTTP request per call and a deadline on
// each; nothing here repeats anything.
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { z } from "zod";
import { err, ok, type Result } from "../../shared/result.ts";
import { type PaymentTimings, SETTLEMENT_TIMEOUT_MS } from "./limits.ts";
import type {
  ChargeAnswer,
  CreateAnswer,
  NewCharge,
  PaymentProvider,
  RefundAnswer,
  SettlementLine,
  WebhookEvent,
  WebhookOutcome,
} from "./provider.ts";

const chargeSchema = z.object({
  id: z.string(),
  state: z.enum(["created", "succeeded", "failed", "cancelled"]),
  amount: z.int().min(0),
  currency: z.string(),
  reason: z.string().optional(),
});
const refundSchema = z.object({ id: z.string(), key: z.string(), state: z.literal("succeeded") });
const errorSchema = z.object({ error: z.string() });
const webhookSchema = z.object({ type: z.string(), data: z.unknown() });

type Reply = { status: number; body: unknown };
type Call = { method: "GET" | "POST"; path: string; timeoutMs: number } & Partial<{
  body: unknown;
  key: string;
  requestId: string;
}>;

export type SimulatorOptions = {
  origin: string;
  secret: string;
  webhookSecret: string;
  timings: PaymentTimings;
};

export function createSimulatorProvider(options: SimulatorOptions): PaymentProvider {
  const { origin, timings } = options;
  const verifier = new Webhook(options.webhookSecret);
  const call = caller(options);
  const charge = async (ref: string, act: string, more: Omit<Call, "path">) =>
    readCharge(await call({ ...more, path: `/v1/charges/${encodeURIComponent(ref)}${act}` }));

  return {
    name: "simulator",
    account: "",
    timings,
    create: (input) => create(call, input, timings.createTimeoutMs),
    confirm: (ref, requestId) =>
      charge(ref, "/confirm", { method: "POST", requestId, timeoutMs: timings.confirmTimeoutMs }),
    inquire: (ref) => charge(ref, "", { method: "GET", timeoutMs: timings.inquireTimeoutMs }),
    cancel: (ref) => charge(ref, "/cancel", { method: "POST", timeoutMs: timings.cancelTimeoutMs }),
    refund: async ({ refund, ref, amount }) =>
      readRefund(
        await call({
          method: "POST",
          path: `/v1/charges/${encodeURIComponent(ref)}/refunds`,
          body: { amount },
          key: refund,
          timeoutMs: timings.refundTimeoutMs,
        }),
      ),
    inquireRefund: async ({ refund }) =>
      readRefund(
        await call({
          method: "GET",
          path: `/v1/refunds?key=${encodeURIComponent(refund)}`,
          timeoutMs: timings.inquireTimeoutMs,
        }),
      ),
    readWebhook: (headers, body) => readWebhook(verifier, headers, body),
    settlement: (day, zone) => fetchSettlement(origin, day, zone),
  };
}

type Caller = (request: Call) => Promise<Reply | { failure: string }>;

const caller =
  ({ origin, secret }: SimulatorOptions): Caller =>
  async (request) => {
    try {
      const reply = await fetch(new URL(request.path, origin), {
        method: request.method,
        headers: {
          authorization: `Bearer ${secret}`,
          "content-type": "application/json",
          ...(request.key === undefined ? {} : { "idempotency-key": request.key }),
          ...(request.requestId === undefined ? {} : { "x-request-id": request.requestId }),
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        redirect: "error",
        signal: AbortSignal.timeout(request.timeoutMs),
      });
      return { status: reply.status, body: await reply.json() };
    } catch (error) {
      return { failure: error instanceof Error ? error.name : "failed" };
    }
  };

async function create(call: Caller, input: NewCharge, timeoutMs: number): Promise<CreateAnswer> {
  const { order: reference, attempt, key, amount, currency, method, instalments } = input;
  const reply = await call({
    method: "POST",
    path: "/v1/charges",
    body: { reference, attempt, key, amount, currency, method, instalments },
    key: attempt,
    requestId: input.requestId,
    timeoutMs,
  });
  if ("failure" in reply) return { state: "unknown", reason: reply.failure };
  const made = chargeSchema.safeParse(reply.body);
  if (made.success && reply.status < 300) return { state: "created", ref: made.data.id };
  const refusal = errorSchema.safeParse(reply.body);
  return refusal.success && reply.status >= 400 && reply.status < 500
    ? { state: "refused", reason: refusal.data.error }
    : { state: "unknown", reason: `status ${reply.status}` };
}

function readCharge(reply: Reply | { failure: string }): ChargeAnswer {
  if ("failure" in reply) return { state: "unknown", reason: reply.failure };
  if (reply.status === 404) return { state: "not_found" };
  const parsed = chargeSchema.safeParse(reply.body);
  if (reply.status >= 500 || !parsed.success) {
    return { state: "unknown", reason: `status ${reply.status}` };
  }
  const { state, amount, currency, reason = "declined" } = parsed.data;
  switch (state) {
    case "succeeded":
      return { state, amount, currency };
    case "failed":
      return { state, reason };
    case "created":
    case "cancelled":
      return { state };
  }
}

function readRefund(reply: Reply | { failure: string }): RefundAnswer {
  if ("failure" in reply) return { state: "unknown", reason: reply.failure };
  if (reply.status === 404) return { state: "not_found" };
  const made = refundSchema.safeParse(reply.body);
  if (made.success && reply.status < 300) return { state: "succeeded", ref: made.data.id };
  const refusal = errorSchema.safeParse(reply.body);
  return refusal.success && reply.status >= 400 && reply.status < 500
    ? { state: "failed", reason: refusal.data.error }
    : { state: "unknown", reason: `status ${reply.status}` };
}

function readWebhook(
  verifier: Webhook,
  headers: Headers,
  body: string,
): Result<WebhookEvent, string> {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
  let content: unknown;
  try {
    content = verifier.verify(
      body,
      Object.fromEntries(names.map((name) => [name, headers.get(name) ?? ""])),
    );
  } catch (error) {
    if (error instanceof WebhookVerificationError) return err(error.message);
    if (error instanceof SyntaxError) return err("signed, and not JSON");
    throw error;
  }
  const event = webhookSchema.safeParse(content);
  if (!event.success) return err("signed, and not an event");
  const { type, data } = event.data;
  const id = headers.get("webhook-id") ?? "";
  const { ref, outcome } = readOutcome(type, data);
  return ok({ id, type, ref, outcome });
}

function readOutcome(
  type: string,
  data: unknown,
): { ref: string | null; outcome: WebhookOutcome | null } {
  const refund = refundSchema.safeParse(data);
  if (type === "refund.succeeded" && refund.success) {
    return {
      ref: refund.data.id,
      outcome: { outcome: "refund_succeeded", refund: refund.data.key },
    };
  }
  const parsed = chargeSchema.safeParse(data);
  if (!parsed.success) return { ref: null, outcome: null };
  const { id: ref, amount, currency, reason } = parsed.data;
  switch (type) {
    case "charge.succeeded":
      return { ref, outcome: { outcome: "charge_succeeded", amount, currency } };
    case "charge.failed":
    case "charge.cancelled":
      return {
        ref,
        outcome: {
          outcome: type === "charge.failed" ? "charge_failed" : "charge_cancelled",
          ...(reason === undefined ? {} : { reason }),
        },
      };
    default:
      return { ref, outcome: null };
  }
}

async function fetchSettlement(
  origin: string,
  day: string,
  zone: string,
): Promise<SettlementLine[]> {
  const url = new URL(`/settlements/${day}.csv`, origin);
  url.searchParams.set("zone", zone);
  const reply = await fetch(url, { signal: AbortSignal.timeout(SETTLEMENT_TIMEOUT_MS) });
  if (!reply.ok) throw new Error(`settlement file of ${day}: status ${reply.status}`);
  const [, ...lines] = (await reply.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [type, id = "", ref = "", order = "", , amount, currency = "", at = ""] = line.split(",");
    return {
      id,
      kind: type === "refund" ? "refund" : "charge",
      ref,
      order,
      amount: Math.abs(Number(amount)),
      currency,
      at,
    };
  });
}
