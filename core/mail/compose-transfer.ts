import { toBuffer } from "qrcode";
import { placeText, whenText } from "./compose-tickets.ts";
import { html, mailDocument } from "./html.ts";
import { fill, languageOf } from "./language.ts";
import type { OutgoingMail } from "./mailer.ts";
import type { TransferFacts } from "./queries.ts";
import { WORDS } from "./words.ts";

/** The mail to the person whom a ticket was handed to. */

const QR_PX = 440;

export async function composeTransferMail(input: {
  facts: TransferFacts;
  code: string;
  url: string;
  messageId: string;
}): Promise<OutgoingMail> {
  const { facts, code, url } = input;
  const language = languageOf(facts.locale);
  const words = WORDS[language];
  const name = facts.name ?? "";
  const subject = fill(words.transferSubject, { event: facts.eventName });
  const greeting = fill(words.greeting, { name });
  const intro = fill(words.transferIntro, { event: facts.eventName });
  const place = placeText(words, facts.ticket);
  const when = whenText(language, facts.startsAt, facts.timeZone);
  const cid = `${facts.ticket.id}@sira`;
  const body = html`<p>${greeting}</p><p>${intro}</p><h1>${facts.eventName}</h1>
<p>${facts.venue}<br>${when}</p><div class="ticket"><strong>${place}</strong>
<img src="cid:${cid}" width="220" height="220" alt="QR"><span class="small">${facts.ticket.id}</span></div>
<p><a class="button" href="${url}">${words.openTicket}</a></p>
<p class="small">${words.showAtDoor} ${words.personalLink}</p>`;
  return {
    messageId: input.messageId,
    to: { name, address: facts.email },
    subject,
    language,
    text: [
      greeting,
      "",
      intro,
      "",
      facts.venue,
      when,
      place,
      "",
      `${words.openTicket}: ${url}`,
      words.personalLink,
      "",
      words.showAtDoor,
      "",
    ].join("\n"),
    html: mailDocument({ language, direction: words.direction, title: subject, body }),
    attachments: [
      {
        filename: `${facts.ticket.id}.png`,
        content: await toBuffer(code, { width: QR_PX, errorCorrectionLevel: "M" }),
        contentType: "image/png",
        cid,
      },
    ],
  };
}
