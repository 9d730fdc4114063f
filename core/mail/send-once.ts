import type { Ctx } from "../context.ts";
import { MAIL_DEADLINE_MS, MailRefused, type OutgoingMail } from "./mailer.ts";
import { BEGIN_MAIL, type BegunMail, END_MAIL, NOTE_MAIL_ERROR } from "./queries.ts";

const ERROR_CHARS_MAX = 500;

export type MailRecord = {
  kind: string;
  /** Whose mail it is: an order's buyer (or, of a `transfer`, a holder), or an account's person. */
  order?: string | undefined;
  account?: string;
  outbox: string;
};

/** Servers repeat the recipient in their refusals; it stands in one column and nowhere else. */
function withoutAddress(error: unknown, address: string): string {
  const text = error instanceof Error ? error.message : String(error);
  const found = new RegExp(address.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi");
  return text.replace(found, "the recipient").slice(0, ERROR_CHARS_MAX);
}

/**
 * A mail is written down as `sending` before, and as `sent` in its own statement right after the
 * server's 250. Only a death between the two can send a second copy, which has the same Message-ID.
 *
 * @returns `already` when the server had it before; `refused` when it never will take it; `gone` when
 *   the person was erased while the mail was made.
 * @throws whatever may pass; the queue calls again.
 */
export async function sendOnce(
  ctx: Ctx,
  mail: OutgoingMail,
  record: MailRecord,
): Promise<"sent" | "already" | "refused" | "gone"> {
  const { messageId } = mail;
  const [begun] = await ctx.db.write<BegunMail>(BEGIN_MAIL, [
    messageId,
    record.outbox,
    record.order ?? null,
    record.kind,
    mail.to.address,
    MAIL_DEADLINE_MS,
    record.account ?? null,
  ]);
  if (begun?.gone === true) return "gone";
  if (begun?.mine !== true) {
    if (begun?.state === "sending") throw new Error("somebody else is sending it just now");
    return "already";
  }
  if (ctx.mailer === undefined) throw new Error("no SMTP server is configured");
  try {
    await ctx.mailer.send(mail);
  } catch (error) {
    const text = withoutAddress(error, mail.to.address);
    if (!(error instanceof MailRefused)) {
      await ctx.db.write(NOTE_MAIL_ERROR, [messageId, text]);
      // The library's own error carries addresses along, and this one will be logged.
      throw new Error(text);
    }
    ctx.log.warn({ messageId, order: record.order }, "a mail was refused for good");
    await ctx.db.write(END_MAIL, [messageId, "failed", text]);
    return "refused";
  }
  await ctx.db.write(END_MAIL, [messageId, "sent", null]);
  return "sent";
}
