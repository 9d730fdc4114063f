import { z } from "zod";
import { addressGroup } from "../../shared/address.ts";
import type { AccountRequest } from "../../shared/contract/accounts.ts";
import { limitKey } from "../accounts/code.ts";
import { foldEmail } from "../accounts/fold-email.ts";
import type { Ctx } from "../context.ts";
import type { OutboxHandler } from "../jobs/registry.ts";
import { composeLinksMail } from "../mail/compose-links.ts";
import { orderUrl } from "../mail/handlers.ts";
import { sendOnce } from "../mail/send-once.ts";
import { signOrderToken } from "../orders/token.ts";
import { ASK_LINKS, LINK_FACTS, type LinkFacts } from "./queries.ts";

/** Links to the orders of an address go to that address, in whatever state the orders are. */
export async function askLinks(
  ctx: Ctx,
  input: AccountRequest & { address: string },
): Promise<void> {
  await ctx.limits.require("code-address", addressGroup(input.address));
  await ctx.limits.require("code-email", limitKey(ctx.config.secret, foldEmail(input.email)));
  await ctx.db.write(ASK_LINKS, [input.email, input.locale ?? null]);
}

const askedSchema = z.object({ orders: z.array(z.string()), locale: z.string().nullable() });

export const linksMailHandler: OutboxHandler = {
  name: "links-mail",
  kinds: ["order.links"],
  async handle(ctx, event) {
    const { orders, locale } = askedSchema.parse(event.payload);
    if (orders.length === 0 || ctx.mailer === undefined) return;
    const facts = await ctx.db.read<LinkFacts>(LINK_FACTS, [orders]);
    const [first] = facts;
    if (first === undefined) return;
    // Corrected meanwhile: what belongs to another address now is not this one's to open.
    const same = facts.filter(({ email }) => email.toLowerCase() === first.email.toLowerCase());
    const links = await Promise.all(
      same.map(async (one) => ({
        ...one,
        url: orderUrl(ctx.config.edgeOrigin, one.id, await signOrderToken(ctx, one.id)),
      })),
    );
    const mail = composeLinksMail({
      email: first.email,
      name: first.name,
      locale: locale ?? first.locale,
      links,
      messageId: `<${event.id}@${ctx.mailer.domain}>`,
    });
    await sendOnce(ctx, mail, { kind: "links", order: first.id, outbox: event.id });
  },
};
