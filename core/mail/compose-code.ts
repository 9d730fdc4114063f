import { html, mailDocument } from "./html.ts";
import { fill, languageOf } from "./language.ts";
import type { OutgoingMail } from "./mailer.ts";
import { WORDS } from "./words.ts";

/** The mail with a sign-in code. There is no link in it: nobody learns to click on such mails. */
export function composeCodeMail(input: {
  email: string;
  locale: string | null;
  code: string;
  minutes: number;
  messageId: string;
}): OutgoingMail {
  const language = languageOf(input.locale);
  const words = WORDS[language];
  const middle = input.code.length / 2;
  const shown = `${input.code.slice(0, middle)} ${input.code.slice(middle)}`;
  const time = fill(words.codeTime, { minutes: String(input.minutes) });
  return {
    messageId: input.messageId,
    to: { name: "", address: input.email },
    subject: words.codeSubject,
    language,
    text: [words.codeIntro, "", `  ${shown}`, "", time, words.codeIgnore, ""].join("\n"),
    html: mailDocument({
      language,
      direction: words.direction,
      title: words.codeSubject,
      body: html`<p>${words.codeIntro}</p><p class="code">${shown}</p><p>${time}</p>
<p class="small">${words.codeIgnore}</p>`,
    }),
    attachments: [],
  };
}
