import { formatMoney, type Money } from "../../shared/money.ts";
import { html, mailDocument } from "./html.ts";
import { fill, languageOf } from "./language.ts";
import type { OutgoingMail } from "./mailer.ts";
import type { OrderFacts } from "./queries.ts";
import { WORDS } from "./words.ts";

/** The mail to somebody who was charged by a mistake of ours, before they have to ask. */

export type IncidentMailInput = {
  facts: OrderFacts & { email: string };
  amount: Money;
  voucher: string | undefined;
  messageId: string;
};

export function composeIncidentMail(input: IncidentMailInput): OutgoingMail {
  const { facts, voucher } = input;
  const language = languageOf(facts.locale);
  const words = WORDS[language];
  const name = facts.name ?? "";
  const subject = fill(words.incidentSubject, { event: facts.eventName });
  const greeting = fill(words.greeting, { name });
  const intro = fill(words.incidentIntro, {
    amount: formatMoney(input.amount, language),
    event: facts.eventName,
  });
  const more = [
    words.refundTime,
    ...(voucher === undefined ? [] : [fill(words.incidentVoucher, { code: voucher })]),
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
