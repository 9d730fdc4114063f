import { formatMoney, type Money } from "../../shared/money.ts";
import { html, mailDocument } from "./html.ts";
import type { Words } from "./language.ts";
import { fill, languageOf } from "./language.ts";
import type { OutgoingMail } from "./mailer.ts";
import type { OrderFacts } from "./queries.ts";
import { WORDS } from "./words.ts";

/** The mail that says that money is on its way back, and why. */

export type RefundMailInput = {
  facts: OrderFacts & { email: string };
  amount: Money;
  /** As the refund has it: our own reasons are told, an organizer's note is not. */
  reason: string;
  voidsTickets: boolean;
  messageId: string;
};

function whyOf(words: Words, reason: string): string[] {
  if (reason === "duplicate") return [words.refundDuplicate];
  if (reason === "reservation_lost") return [words.refundLost];
  return [];
}

export function composeRefundMail(input: RefundMailInput): OutgoingMail {
  const { facts } = input;
  const language = languageOf(facts.locale);
  const words = WORDS[language];
  const name = facts.name ?? "";
  const subject = fill(words.refundSubject, { event: facts.eventName });
  const greeting = fill(words.greeting, { name });
  const intro = fill(words.refundIntro, {
    amount: formatMoney(input.amount, language),
    event: facts.eventName,
  });
  const more = [
    ...whyOf(words, input.reason),
    ...(input.voidsTickets ? [words.refundVoid] : []),
    words.refundTime,
  ];
  return {
    messageId: input.messageId,
    to: { name, address: facts.email },
    subject,
    language,
    text: [greeting, "", intro, ...more, "", `${words.order}: ${facts.id}`, ""].join("\n"),
    html: mailDocument({
      language,
      direction: words.direction,
      title: subject,
      body: html`<p>${greeting}</p><p><strong>${intro}</strong></p>
${more.map((line) => html`<p>${line}</p>`)}<p class="small">${words.order} ${facts.id}</p>`,
    }),
    attachments: [],
  };
}
