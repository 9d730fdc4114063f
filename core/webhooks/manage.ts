import {
  type DeliveryView,
  WEBHOOK_KINDS,
  type WebhookRequest,
  type WebhookView,
} from "../../shared/contract/webhooks.ts";
import { Refusal } from "../../shared/errors.ts";
import { actorName, type Ctx, type OrganizerActor } from "../context.ts";
import {
  CREATE_ENDPOINT,
  DELETE_ENDPOINT,
  LIST_DELIVERIES,
  LIST_ENDPOINTS,
  RESEND_DELIVERY,
} from "./queries.ts";
import { newWebhookSecret, sealSecret } from "./secret.ts";

type OrganizerCtx = Ctx<OrganizerActor>;

/** The secret is shown once, here. */
export async function createWebhook(
  ctx: OrganizerCtx,
  input: WebhookRequest & { event: string },
): Promise<{ id: string; secret: string }> {
  const fault = ctx.outbound.judge(input.url);
  if (fault !== undefined) {
    const errors = [{ field: "url", message: fault }];
    throw new Refusal("invalid_request", { detail: `url: ${fault}`, facts: { errors } });
  }
  const id = ctx.ids.newId("wh");
  const secret = newWebhookSecret();
  const made = await ctx.db.write(CREATE_ENDPOINT, [
    id,
    input.event,
    input.url,
    input.kinds ?? WEBHOOK_KINDS,
    sealSecret(ctx.config.secret, id, secret),
    actorName(ctx.actor),
    ctx.requestId,
  ]);
  if (made.length === 0) throw new Refusal("unknown_event");
  return { id, secret };
}

export async function listWebhooks(ctx: Pick<Ctx, "db">, event: string): Promise<WebhookView[]> {
  const rows = await ctx.db.read<{ view: WebhookView }>(LIST_ENDPOINTS, [event]);
  return rows.map(({ view }) => view);
}

/** With all its deliveries; what is on its way finds nothing left to send. */
export async function deleteWebhook(
  ctx: OrganizerCtx,
  input: { event: string; id: string },
): Promise<void> {
  const who = [actorName(ctx.actor), ctx.requestId];
  const gone = await ctx.db.write(DELETE_ENDPOINT, [input.id, input.event, ...who]);
  if (gone.length === 0) throw new Refusal("not_found");
}

export async function listDeliveries(
  ctx: Pick<Ctx, "db">,
  input: {
    event: string;
    state: DeliveryView["state"] | undefined;
    before: string | undefined;
    limit: number;
  },
): Promise<DeliveryView[]> {
  const rows = await ctx.db.read<{ view: DeliveryView }>(LIST_DELIVERIES, [
    input.event,
    input.state ?? null,
    input.before ?? null,
    input.limit,
  ]);
  return rows.map(({ view }) => view);
}

export async function resendDelivery(
  ctx: OrganizerCtx,
  input: { event: string; id: string },
): Promise<void> {
  const who = [actorName(ctx.actor), ctx.requestId];
  const again = await ctx.db.write(RESEND_DELIVERY, [input.id, input.event, ...who]);
  if (again.length === 0) throw new Refusal("not_found");
}
