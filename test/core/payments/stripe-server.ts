// A server in the shape of Stripe: form bodies in, Stripe objects out, idempotency keys kept, each
// request counted, and faults of the network on order. It knows nothing of the adapter.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Fault =
  | "none"
  | "reset"
  | "reset_mid_body"
  | "silence"
  | "error_500"
  | "error_502_html";

type Intent = {
  id: string;
  object: "payment_intent";
  amount: number;
  amount_received: number;
  currency: string;
  status: string;
  last_payment_error: { code: string; decline_code?: string } | null;
  metadata: Record<string, string>;
  payment_method: string;
  payment_method_options: { card: { installments: { available_plans: unknown[] } } };
  /** Of the confirm. */
  months?: string | null;
};
type Refund = {
  id: string;
  object: "refund";
  amount: number;
  currency: string;
  status: string;
  payment_intent: string;
  metadata: Record<string, string>;
};
type Source = { id: string; [member: string]: unknown };
type Answer = { status: number; body: unknown };

export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>;

const INSTALMENTS = "payment_method_options[card][installments]";
/** What its cards may be paid in. */
const MONTHS = [3, 6];
const UNHEARD_OF = "pm_unheard_of";
const DECLINING = "pm_card_chargeDeclined";

export async function startStripeServer() {
  const intents = new Map<string, Intent>();
  const refunds = new Map<string, Refund>();
  const replies = new Map<string, Answer>();
  const entries: { id: string; created: number; source: Source }[] = [];
  const counts = new Map<string, number>();
  let serial = 0;
  let fault: Fault = "none";

  const handle = (method: string, path: string, form: URLSearchParams): Answer => {
    const [, id = "", act] = /^\/v1\/payment_intents(?:\/(\w+)(?:\/(\w+))?)?/.exec(path) ?? [];
    if (path === "/v1/payment_intents" && method === "POST") {
      if (form.get("payment_method") === UNHEARD_OF)
        return refuse(400, "resource_missing", "payment_method");
      return { status: 200, body: make(form) };
    }
    const intent = intents.get(id);
    if (path.startsWith("/v1/payment_intents/")) {
      if (intent === undefined) return refuse(404, "resource_missing");
      if (act === "confirm") {
        intent.months = form.get(`${INSTALMENTS}[plan][count]`);
        return confirm(intent);
      }
      if (act === "cancel") return cancel(intent);
      return { status: 200, body: intent };
    }
    if (path === "/v1/refunds" && method === "POST") return refund(form);
    if (path === "/v1/refunds") return list([...refunds.values()]);
    if (path === "/v1/balance_transactions") return list(entries);
    return refuse(404, "resource_missing");
  };

  const make = (form: URLSearchParams): Intent => {
    serial += 1;
    const intent: Intent = {
      id: `pi_${serial}`,
      object: "payment_intent",
      amount: Number(form.get("amount")),
      amount_received: 0,
      currency: form.get("currency") ?? "",
      status: "requires_confirmation",
      last_payment_error: null,
      metadata: metadataOf(form),
      payment_method: form.get("payment_method") ?? "",
      payment_method_options: { card: { installments: { available_plans: plansOf(form) } } },
    };
    intents.set(intent.id, intent);
    return intent;
  };

  const confirm = (intent: Intent): Answer => {
    if (intent.status !== "requires_confirmation") {
      return refuse(400, "payment_intent_unexpected_state");
    }
    if (intent.payment_method === DECLINING) {
      intent.status = "requires_payment_method";
      intent.last_payment_error = { code: "card_declined", decline_code: "generic_decline" };
      const error = { type: "card_error", ...intent.last_payment_error, message: "declined" };
      return { status: 402, body: { error } };
    }
    intent.status = "succeeded";
    intent.amount_received = intent.amount;
    const { amount, currency, metadata } = intent;
    const source = { id: `ch_${intent.id}`, object: "charge", amount, currency, metadata };
    record({ ...source, payment_intent: intent.id });
    return { status: 200, body: intent };
  };

  const cancel = (intent: Intent): Answer => {
    if (intent.status === "succeeded") return refuse(400, "payment_intent_unexpected_state");
    intent.status = "canceled";
    return { status: 200, body: intent };
  };

  const refund = (form: URLSearchParams): Answer => {
    const intent = intents.get(form.get("payment_intent") ?? "");
    const amount = Number(form.get("amount"));
    const sum = [...refunds.values()]
      .filter((one) => one.payment_intent === intent?.id)
      .reduce((total, one) => total + one.amount, 0);
    if (intent === undefined || sum + amount > intent.amount_received) {
      return refuse(400, "charge_already_refunded");
    }
    serial += 1;
    const made: Refund = {
      id: `re_${serial}`,
      object: "refund",
      amount,
      currency: intent.currency,
      status: "succeeded",
      payment_intent: intent.id,
      metadata: metadataOf(form),
    };
    refunds.set(made.id, made);
    record(made);
    return { status: 200, body: made };
  };

  const record = (source: Source): void => {
    const created = Math.floor(Date.now() / 1_000);
    entries.push({ id: `txn_${source.id}`, created, source });
  };

  const server = createServer(async (req, res) => {
    const path = (req.url ?? "").split("?")[0] ?? "";
    const form = new URLSearchParams(await bodyOf(req));
    const name = `${req.method} ${path.replace(/pi_\d+/, "{id}")}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const key = req.headers["idempotency-key"];
    const known = typeof key === "string" ? replies.get(key) : undefined;
    const answer = known ?? handle(req.method ?? "", path, form);
    if (typeof key === "string") replies.set(key, answer);
    const now = fault;
    fault = "none";
    send(res, answer, now);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    intents,
    /** The next request is carried out, and its answer suffers this. */
    failNext(next: Fault) {
      fault = next;
    },
    /** The buyer's bank sends a refund back; the balance says so with an entry of its own. */
    returnRefund(id: string) {
      const found = refunds.get(id);
      if (found === undefined) throw new Error(`no refund ${id}`);
      found.status = "failed";
      record(found);
    },
    /** What Stripe's balance says was charged, changed by hand. */
    misstate(intent: string, amount: number) {
      for (const { source } of entries) if (source.id === `ch_${intent}`) source["amount"] = amount;
    },
    count: (name: string) => counts.get(name) ?? 0,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const refuse = (status: number, code: string, param?: string): Answer => ({
  status,
  body: { error: { type: "invalid_request_error", code, message: code, param } },
});

const plansOf = (form: URLSearchParams): unknown[] =>
  form.get(`${INSTALMENTS}[enabled]`) === "true"
    ? MONTHS.map((count) => ({ count, interval: "month", type: "fixed_count" }))
    : [];

const list = (data: unknown[]): Answer => ({
  status: 200,
  body: { object: "list", data, has_more: false },
});

const metadataOf = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );

async function bodyOf(req: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of req) body += part;
  return body;
}

function send(res: ServerResponse, answer: Answer, fault: Fault): void {
  const body = JSON.stringify(answer.body);
  const head = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  switch (fault) {
    case "none":
      res.writeHead(answer.status, head).end(body);
      return;
    case "reset":
      res.socket?.resetAndDestroy();
      return;
    case "reset_mid_body":
      res.writeHead(answer.status, head).write(body.slice(0, 10));
      setTimeout(() => res.socket?.resetAndDestroy(), 20);
      return;
    case "silence":
      return;
    case "error_500":
      res.writeHead(500, { "content-type": "application/json", "stripe-should-retry": "true" });
      res.end(JSON.stringify({ error: { type: "api_error", message: "down" } }));
      return;
    case "error_502_html":
      res.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
      return;
  }
}
