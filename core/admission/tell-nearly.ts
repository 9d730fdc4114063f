import { Refusal } from "../../shared/errors.ts";
import type { Ctx, ServiceActor } from "../context.ts";
import { composeNearlyMail } from "../mail/compose-nearly.ts";
import { sendOnce } from "../mail/send-once.ts";

/**
 * The gate says that a place is nearly at the door, and where to write. One mail a place; the address
 * is taken out of the record after each try, since nobody here needs it again.
 */
export async function tellNearly(
  ctx: Ctx<ServiceActor>,
  input: { event: string; place: string; email: string; locale: string; number: number },
): Promise<void> {
  const { event, place, email, locale, number } = input;
  const [found] = await ctx.db.read<{ name: string }>(
    "select name from events where event_id = $1",
    [event],
  );
  if (found === undefined) throw new Refusal("unknown_event");
  if (ctx.mailer === undefined) throw new Refusal("unavailable");
  const messageId = `<nearly.${event}.${place}@${ctx.mailer.domain}>`;
  const url = `${ctx.config.edgeOrigin}/e/${event}`;
  const mail = composeNearlyMail({ email, locale, eventName: found.name, number, url, messageId });
  try {
    await sendOnce(ctx, mail, { kind: "nearly", outbox: messageId });
  } finally {
    // Also when it failed: a gate that does not ask again must not leave the address here for ever.
    await ctx.db.write("update mails set recipient = null where message_id = $1 returning 1", [
      messageId,
    ]);
  }
}
