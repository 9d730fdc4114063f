import { whenText } from "./compose-tickets.ts";
import { html, mailDocument } from "./html.ts";
import { fill, languageOf } from "./language.ts";
import type { OutgoingMail } from "./mailer.ts";
import { WORDS } from "./words.ts";

export type OrderLink = {
  id: string;
  url: string;
  eventName: string;
  startsAt: string;
  timeZone: string;
};

/** The mail to somebody who asked for their orders. */
export function composeLinksMail(input: {
  email: string;
  name: string | null;
  locale: string | null;
  links: readonly OrderLink[];
  messageId: string;
}): OutgoingMail {
  const language = languageOf(input.locale);
  const words = WORDS[language];
  const name = input.name ?? "";
  const greeting = fill(words.greeting, { name });
  const when = (link: OrderLink) => whenText(language, link.startsAt, link.timeZone);
  return {
    messageId: input.messageId,
    to: { name, address: input.email },
    subject: words.linksSubject,
    language,
    text: [
      greeting,
      "",
      words.linksIntro,
      ...input.links.flatMap((link) => ["", `${link.eventName}, ${when(link)}`, link.url]),
      "",
      words.personalLink,
      "",
    ].join("\n"),
    html: mailDocument({
      language,
      direction: words.direction,
      title: words.linksSubject,
      body: html`<p>${greeting}</p><p>${words.linksIntro}</p>
${input.links.map(
  (link) => html`<div class="ticket"><strong>${link.eventName}</strong><br>${when(link)}
<p><a class="button" href="${link.url}">${words.openOrder}</a></p><span class="small">${link.id}</span></div>`,
)}<p class="small">${words.personalLink}</p>`,
    }),
    attachments: [],
  };
}
