import { z } from "zod";
import { CODE_MINUTES } from "../../shared/contract/accounts.ts";
import type { OutboxHandler } from "../jobs/registry.ts";
import { composeCodeMail } from "../mail/compose-code.ts";
import { sendOnce } from "../mail/send-once.ts";
import { codeHash, codeOf, sameHash } from "./code.ts";
import { CODE_FACTS, type CodeFacts } from "./queries.ts";

const askedSchema = z.object({ account: z.string(), nonce: z.string() });

/** Only the newest code of an account is worth a mail, and only while it counts. */
export const codeMailHandler: OutboxHandler = {
  name: "code-mail",
  kinds: ["account.code"],
  async handle(ctx, event) {
    const { account, nonce } = askedSchema.parse(event.payload);
    const [facts] = await ctx.db.read<CodeFacts>(CODE_FACTS, [account]);
    if (facts === undefined) return;
    const { secret } = ctx.config;
    const code = codeOf(secret, facts.folded, nonce);
    if (!sameHash(codeHash(secret, facts.folded, code), facts.hash)) return;
    if (ctx.mailer === undefined) {
      ctx.log.warn({ event: event.id }, "no SMTP server is configured: no code is sent");
      return;
    }
    const mail = composeCodeMail({
      email: facts.email,
      locale: facts.locale,
      code,
      minutes: CODE_MINUTES,
      messageId: `<${event.id}@${ctx.mailer.domain}>`,
    });
    await sendOnce(ctx, mail, { kind: "code", account, outbox: event.id });
  },
};
