// Sends webhooks in the Standard Webhooks form, and repeats them as providers do until the
// receiver answers 2xx. It can also be told to send nothing, everything twice, or pairs in the
// wrong order.
import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";

export type WebhookMode = "on" | "off" | "dup" | "reorder";

const RETRY_AFTER_MS = [1_000, 5_000, 15_000, 30_000, 60_000, 120_000] as const;
const DELIVERY_TIMEOUT_MS = 10_000;
const REORDER_WINDOW_MS = 1_000;

type Message = { id: string; body: string };

export type WebhookSender = {
  mode: WebhookMode;
  send: (event: { type: string; data: unknown; copies: number }) => void;
};

export function createWebhookSender(options: {
  url: string;
  secret: string;
  later: (ms: number, act: () => void) => void;
  log: (line: string) => void;
}): WebhookSender {
  const { url, later, log } = options;
  const signer = new Webhook(options.secret);
  const waiting: Message[] = [];

  async function deliver(message: Message, attempt: number): Promise<void> {
    // Signed at each delivery: a retry an hour later must not look like a replay.
    const sentAt = new Date();
    try {
      const reply = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": message.id,
          "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
          "webhook-signature": signer.sign(message.id, sentAt, message.body),
        },
        body: message.body,
        signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
      });
      await reply.arrayBuffer();
      if (reply.ok) return;
      log(`webhook ${message.id}: ${reply.status}`);
    } catch (error) {
      log(`webhook ${message.id}: ${error instanceof Error ? error.message : "failed"}`);
    }
    const wait = RETRY_AFTER_MS[attempt];
    if (wait !== undefined) later(wait, () => void deliver(message, attempt + 1));
  }

  function flushReversed(): void {
    for (const message of waiting.splice(0).reverse()) void deliver(message, 0);
  }

  const sender: WebhookSender = {
    mode: "on",
    send({ type, data, copies }) {
      if (sender.mode === "off") return;
      const message: Message = {
        id: `evt_${randomUUID()}`,
        body: JSON.stringify({ type, timestamp: new Date().toISOString(), data }),
      };
      if (sender.mode === "reorder") {
        if (waiting.length === 0) later(REORDER_WINDOW_MS, flushReversed);
        waiting.push(message);
        return;
      }
      const times = sender.mode === "dup" ? Math.max(copies, 2) : copies;
      for (let n = 0; n < times; n += 1) void deliver(message, 0);
    },
  };
  return sender;
}
