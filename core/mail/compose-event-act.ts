import { formatMoney } from "../../shared/money.ts";
import { whenText } from "./compose-tickets.ts";
import { EVENT_ACT_WORDS } from "./event-act-words.ts";
import { html, mailDocument } from "./html.ts";
import { fill, languageOf } from "./language.ts";
import type { OutgoingMail } from "./mailer.ts";
import type { OrderFacts } from "./queries.ts";
import { WORDS } from "./words.ts";

/** The mail to everybody with tickets when an event is called off or moved. */

export type EventActMailInput = {
  facts: OrderFacts & { email: string };
  kind: "cancelled" | "postponed";
  /** What goes back; nothing for tickets that were given away. */
  amount: number;
  currency: string | null;
  /** The organizer's own words. */
  reason: string;
  messageId: string;
};

export function composeEventActMail(input: EventActMailInput): OutgoingMail {
  const { facts, kind, amount, currency, reason } = input;
  const language = languageOf(facts.locale);
  const words = { ...WORDS[language], ...EVENT_ACT_WORDS[language] };
  const name = facts.name ?? "";
  const event = facts.eventName;
  const greeting = fill(words.greeting, { name });
  const isOff = kind === "cancelled";
  const subject = fill(isOff ? words.cancelledSubject : words.postponedSubject, { event });
  const when = whenText(language, facts.startsAt, facts.timeZone);
  const intro = isOff
    ? fill(words.cancelledIntro, { event })
    : fill(words.postponedIntro, { event, when });
  const money =
    isOff && currency !== null && amount > 0
      ? [
          fill(words.cancelledMoney, { amount: formatMoney({ amount, currency }, language) }),
          words.refundTime,
        ]
      : [];
  const more = [...money, ...(isOff ? [] : [words.postponedTickets])];
  return {
    messageId: input.messageId,
    to: { name, address: facts.email },
    subject,
    language,
    text: [greeting, "", intro, reason, "", ...more, "", `${words.order}: ${facts.id}`, ""].join(
      "\n",
    ),
    html: mailDocument({
      language,
      direction: words.direction,
      title: subject,
      body: html`<p>${greeting}</p><p><strong>${intro}</strong></p><p>${reason}</p>
${more.map((line) => html`<p>${line}</p>`)}<p class="small">${words.order} ${facts.id}</p>`,
    }),
    attachments: [],
  };
}
