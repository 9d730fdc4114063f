import { Webhook } from "standardwebhooks";
import { z } from "zod";
import type { JobCtx, OutboxHandler } from "../jobs/registry.ts";
import { webhookData, webhookKindOf, webhookSources } from "./payload.ts";
import {
  BEGIN_DELIVERY,
  DISABLE_ENDPOINT,
  type DueDelivery,
  END_DELIVERY,
  FAN_OUT,
  HOLD_UNITS,
} from "./queries.ts";
import { openSecret } from "./secret.ts";

/**
 * From an event of an order to each endpoint that listens: one row and one queue entry each, so that
 * a dead endpoint holds up nobody else.
 */

const RETRY_S = 5;
const RETRY_S_MAX = 3 * 3_600;
/** With doubling pauses from 5 s: about six hours. Then it is dead, and a person may send it again. */
export const DELIVERY_TRIES_MAX = 12;
const GONE = 410;

const deliverySchema = z.object({ delivery: z.string() });

export const webhookFanOut: OutboxHandler = {
  name: "webhook-fan-out",
  kinds: webhookSources,
  async handle(ctx, { id, kind, event, order, payload }) {
    const told = webhookKindOf(kind);
    if (told === undefined || event === undefined) return;
    // The row names the hold alone, since it is written under the lock of a zone that a crowd waits for.
    const units =
      kind === "hold.expired"
        ? (
            await ctx.db.read<Record<string, unknown>>(HOLD_UNITS, [event, String(payload["hold"])])
          )[0]
        : {};
    const data = webhookData({ event, order, payload: { ...payload, ...units } });
    await ctx.db.write(FAN_OUT, [id, event, order ?? null, told, data]);
  },
};

export const webhookDelivery: OutboxHandler = {
  name: "webhook-delivery",
  kinds: ["webhook.deliver"],
  retry: { delayS: RETRY_S, delayMaxS: RETRY_S_MAX },
  async handle(ctx, { payload }) {
    const { delivery } = deliverySchema.parse(payload);
    const [due] = await ctx.db.write<DueDelivery>(BEGIN_DELIVERY, [delivery]);
    // Delivered, dead, or its endpoint is gone: nothing is left to do.
    if (due !== undefined) await deliver(ctx, due);
  },
};

async function deliver(ctx: JobCtx, due: DueDelivery): Promise<void> {
  const answer = await ctx.outbound.send({
    url: due.url,
    method: "POST",
    ...signed(ctx, due),
  });
  const status = answer.ok ? answer.value.status : null;
  const fault = answer.ok ? null : answer.error;
  if (status !== null && status >= 200 && status < 300) {
    await ctx.db.write(END_DELIVERY, [due.id, "delivered", status, null]);
    return;
  }
  const isOver = status === GONE || due.tries >= DELIVERY_TRIES_MAX;
  await ctx.db.write(END_DELIVERY, [due.id, isOver ? "dead" : "waiting", status, fault]);
  if (status === GONE) await ctx.db.write(DISABLE_ENDPOINT, [due.endpoint, ctx.requestId]);
  if (!isOver) throw new Error(`webhook ${due.id}: ${status ?? fault}`);
}

/** The id stays the same in every try, the time does not: receivers refuse old ones. */
function signed(ctx: JobCtx, due: DueDelivery): { headers: Record<string, string>; body: string } {
  const secret = openSecret(ctx.config.secret, due.endpoint, due.sealed_secret);
  const now = new Date(ctx.clock.now());
  const body = JSON.stringify({ type: due.kind, timestamp: due.created_at, data: due.payload });
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": due.id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(due.id, now, body),
    },
  };
}

export const webhookHandlers: readonly OutboxHandler[] = [webhookFanOut, webhookDelivery];
