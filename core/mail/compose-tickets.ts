import { toBuffer } from "qrcode";
import { formatMoney } from "../../shared/money.ts";
import { ADDED_WORDS } from "./added-words.ts";
import { calendarOf } from "./calendar.ts";
import { html, type Markup, mailDocument } from "./html.ts";
import type { Language, Words } from "./language.ts";
import { fill, languageOf } from "./language.ts";
import type { OutgoingMail } from "./mailer.ts";
import type { OrderFacts, TicketFacts } from "./queries.ts";
import { WORDS } from "./words.ts";

/** The mail with the tickets: what stands in it follows from the facts alone. */

const QR_PX = 440;

export type TicketsMailInput = {
  facts: OrderFacts & { email: string };
  /** What each ticket's picture says, by ticket id. */
  codes: ReadonlyMap<string, string>;
  orderUrl: string;
  messageId: string;
  madeAt: string;
};

export const whenText = (language: string, startsAt: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short", timeZone }).format(
    new Date(startsAt),
  );

export function placeText(words: Words, ticket: TicketFacts): string {
  const { section, row, number, zone } = ticket;
  if (section === null || row === null || number === null) return fill(words.standing, { zone });
  return fill(words.seat, { section, row, number: String(number) });
}

const cidOf = (ticket: string): string => `${ticket}@sira`;

export async function composeTicketsMail(input: TicketsMailInput): Promise<OutgoingMail> {
  const { facts, codes, orderUrl } = input;
  const language = languageOf(facts.locale);
  const words = WORDS[language];
  const name = facts.name ?? "";
  const subject = fill(words.ticketsSubject, { event: facts.eventName });
  const valid = facts.tickets.filter(({ id, state }) => state !== "void" && codes.has(id));
  const pictures = await Promise.all(
    valid.map(async ({ id }) => ({
      filename: `${id}.png`,
      content: await toBuffer(codes.get(id) ?? "", { width: QR_PX, errorCorrectionLevel: "M" }),
      contentType: "image/png",
      cid: cidOf(id),
    })),
  );
  const calendar = calendarOf({
    uid: `${facts.event}@${new URL(orderUrl).hostname}`,
    startsAt: facts.startsAt,
    madeAt: input.madeAt,
    summary: facts.eventName,
    location: facts.venue,
    description: `${words.order} ${facts.id}`,
    // Without the part that opens the order: calendars are shared.
    url: orderUrl.replace(/#.*$/, ""),
  });
  return {
    messageId: input.messageId,
    to: { name, address: facts.email },
    subject,
    language,
    text: plainText(input, words, language),
    html: mailDocument({
      language,
      direction: words.direction,
      title: subject,
      body: bodyOf(input, words, language),
    }),
    attachments: [
      ...pictures,
      { filename: "event.ics", content: calendar, contentType: "text/calendar; charset=utf-8" },
    ],
  };
}

/** What of the total is no price: each kind that there is, in words. */
function addedText(facts: OrderFacts, language: Language): string[] {
  const { currency } = facts;
  const words = ADDED_WORDS[language];
  return (["fees", "tax"] as const)
    .filter((kind) => facts[kind] > 0)
    .map((kind) => `${words[kind]}: ${formatMoney({ amount: facts[kind], currency }, language)}`);
}

function plainText(input: TicketsMailInput, words: Words, language: Language): string {
  const { facts, orderUrl } = input;
  const lines = facts.tickets.map((ticket) => {
    const place = placeText(words, ticket);
    return ticket.state === "void" ? `- ${place} (${words.void})` : `- ${place}`;
  });
  return [
    fill(words.greeting, { name: facts.name ?? "" }),
    "",
    fill(words.ticketsIntro, { event: facts.eventName }),
    ...(facts.reseated ? [words.reseated] : []),
    "",
    facts.venue,
    whenText(language, facts.startsAt, facts.timeZone),
    "",
    ...lines,
    "",
    ...addedText(facts, language),
    `${words.total}: ${formatMoney(facts, language)}`,
    `${words.order}: ${facts.id}`,
    "",
    `${words.openOrder}: ${orderUrl}`,
    words.personalLink,
    "",
    words.showAtDoor,
    "",
  ].join("\n");
}

function ticketHtml(ticket: TicketFacts, words: Words, hasCode: boolean): Markup {
  const place = placeText(words, ticket);
  if (ticket.state === "void")
    return html`<div class="ticket"><s>${place}</s> (${words.void})</div>`;
  if (!hasCode) return html`<div class="ticket"><strong>${place}</strong></div>`;
  return html`<div class="ticket"><strong>${place}</strong>
<img src="cid:${cidOf(ticket.id)}" width="220" height="220" alt="QR"><span class="small">${ticket.id}</span></div>`;
}

function bodyOf(input: TicketsMailInput, words: Words, language: Language): Markup {
  const { facts, codes, orderUrl } = input;
  return html`<p>${fill(words.greeting, { name: facts.name ?? "" })}</p>
<p>${fill(words.ticketsIntro, { event: facts.eventName })}${facts.reseated ? ` ${words.reseated}` : ""}</p>
<h1>${facts.eventName}</h1>
<p>${facts.venue}<br>${whenText(language, facts.startsAt, facts.timeZone)}</p>
${facts.tickets.map((ticket) => ticketHtml(ticket, words, codes.has(ticket.id)))}
${addedText(facts, language).map((line) => html`<p>${line}</p>`)}
<p>${words.total}: <strong>${formatMoney(facts, language)}</strong></p>
<p><a class="button" href="${orderUrl}">${words.openOrder}</a></p>
<p class="small">${words.showAtDoor} ${words.personalLink}</p>
<p class="small">${words.order} ${facts.id}</p>`;
}
