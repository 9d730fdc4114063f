// A ticket on paper: one page, the code large enough for any scanner, drawn as vectors so that no
// printer blurs it.
import PDFDocument from "pdfkit";
import { create as makeQr } from "qrcode";

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

/**
 * The built-in fonts know Latin-1 only. Letters outside it are written by their base letter rather
 * than as a wrong one: a door compares the code, not the spelling.
 */
export const printable = (text: string): string =>
  text
    .replaceAll("ı", "i")
    .replaceAll("İ", "I")
    .replace(/[^\u0020-\u007e\u00a0-\u00ff]/gu, (letter) => {
      const base = letter.normalize("NFD").replace(/\p{M}/gu, "");
      return /^[\u0020-\u007e]+$/.test(base) ? base : "?";
    });

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

  document.font("Helvetica-Bold").fontSize(20).text(printable(ticket.eventName));
  document.font("Helvetica").fontSize(11);
  document.text(printable(ticket.venue)).text(whenText(ticket.startsAt, ticket.timeZone));
  document.moveDown().font("Helvetica-Bold").fontSize(16);
  document.text(printable(ticket.seat ?? ticket.zone));
  document.font("Helvetica").fontSize(11);
  if (ticket.holder !== null) document.text(printable(ticket.holder));
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
