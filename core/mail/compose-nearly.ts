import { html, mailDocument } from "./html.ts";
import { fill, languageOf } from "./language.ts";
import type { OutgoingMail } from "./mailer.ts";
import { WORDS } from "./words.ts";

/** The mail to somebody whose turn in the line is near. The page decides whether it has come. */
export function composeNearlyMail(input: {
  email: string;
  locale: string;
  eventName: string;
  number: number;
  url: string;
  messageId: string;
}): OutgoingMail {
  const language = languageOf(input.locale);
  const words = WORDS[language];
  const number = new Intl.NumberFormat(`${language}-u-nu-latn`).format(input.number);
  const subject = fill(words.nearlySubject, { event: input.eventName });
  const intro = fill(words.nearlyIntro, { event: input.eventName, number });
  return {
    messageId: input.messageId,
    to: { name: "", address: input.email },
    subject,
    language,
    text: [intro, "", `${words.nearlyOpen}: ${input.url}`, "", words.nearlyOnce, ""].join("\n"),
    html: mailDocument({
      language,
      direction: words.direction,
      title: subject,
      body: html`<p>${intro}</p><p><a class="button" href="${input.url}">${words.nearlyOpen}</a></p>
<p class="small">${words.nearlyOnce}</p>`,
    }),
    attachments: [],
  };
}
