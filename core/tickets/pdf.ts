// A ticket on paper: one page (two for very long names), the code large enough for any scanner, drawn
// as vectors so that no printer blurs it.
import PDFDocument from "pdfkit";
import { create as makeQr } from "qrcode";
import { drawingOrder, isRightToLeft, ticketFonts } from "./pdf-font.ts";

const PAGE = "A5";
const MARGIN_PT = 40;
const CODE_PT = 220;
const QUIET_MODULES = 4;

export type PrintedTicket = {
  id: string;
  code: string;
  seat: string | null;
  zone: string;
  holder: string | null;
  eventName: string;
  venue: string;
  startsAt: string;
  timeZone: string;
};

/** In the event's own zone: what a person at the door reads on the wall clock. */
const whenText = (startsAt: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone }).format(
    new Date(startsAt),
  );

/** Letters that the font does not have are written by their base letter, else as a question mark. */
export const printable = (text: string): string =>
  text.replace(/[^\u0020-\u07ff\u1e00-\u20cf\ufb1d-\ufeff]/gu, (letter) => {
    const base = letter.normalize("NFD").replace(/\p{M}/gu, "");
    return /^[\u0020-\u07ff]+$/.test(base) ? base : "?";
  });

/** One paragraph, from whichever side its writing begins. */
function write(document: PDFKit.PDFDocument, text: string): void {
  const shown = printable(text);
  if (!isRightToLeft(shown)) {
    document.text(shown);
    return;
  }
  const width = document.page.width - 2 * MARGIN_PT;
  let line: string[] = [];
  const draw = () => document.text(drawingOrder(line).join(" "), { align: "right" });
  for (const word of shown.split(/\s+/)) {
    if (line.length > 0 && document.widthOfString([...line, word].join(" ")) > width) {
      draw();
      line = [];
    }
    line.push(word);
  }
  draw();
}

export function ticketPdf(ticket: PrintedTicket): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const document = new PDFDocument({
    size: PAGE,
    margin: MARGIN_PT,
    info: { Title: `Ticket ${ticket.id}` },
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  document.once("error", reject);
  document.once("end", () => resolve(Uint8Array.from(Buffer.concat(chunks))));

  const fonts = ticketFonts();
  document.registerFont("plain", fonts.plain).registerFont("bold", fonts.bold);
  document.font("bold").fontSize(20);
  write(document, ticket.eventName);
  document.font("plain").fontSize(11);
  write(document, ticket.venue);
  document.text(whenText(ticket.startsAt, ticket.timeZone));
  document.moveDown().font("bold").fontSize(16);
  write(document, ticket.seat ?? ticket.zone);
  document.font("plain").fontSize(11);
  if (ticket.holder !== null) write(document, ticket.holder);
  // Long names push the code down: it goes on a page of its own before any of it is cut off.
  const isTight = document.y + CODE_PT + 60 > document.page.height - document.page.margins.bottom;
  if (isTight) document.addPage();
  drawCode(document, ticket.code, document.y + 20);
  document.fontSize(8).text(ticket.id, MARGIN_PT, document.y + CODE_PT + 30);
  document.end();
  return promise;
}

function drawCode(document: PDFKit.PDFDocument, code: string, top: number): void {
  const { modules } = makeQr(code, { errorCorrectionLevel: "M" });
  const size = CODE_PT / (modules.size + 2 * QUIET_MODULES);
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (modules.get(row, column) === 0) continue;
      document.rect(
        MARGIN_PT + (column + QUIET_MODULES) * size,
        top + (row + QUIET_MODULES) * size,
        size,
        size,
      );
    }
  }
  document.fill("black");
}
