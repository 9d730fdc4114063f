import type { TicketPage, TransferRequest } from "../../../shared/contract/tickets.ts";
import { type Credential, findCore, type Reply } from "../kit/api.ts";
import { callCore } from "../kit/core.ts";

/** What pages ask about one ticket, with its own token or with that of its order. */

/** Kept in this browser, so that the ticket opens again without its link. */
export const ticketKey = (ticket: string): string => `ticket:${ticket}`;

const tickets = (id: string, rest = "") => `/v1/tickets/${encodeURIComponent(id)}${rest}`;

export const readTicketPage = (id: string, credential: Credential): Promise<Reply<TicketPage>> =>
  callCore(tickets(id), { credential });

export const handOn = (
  id: string,
  credential: Credential,
  body: TransferRequest,
): Promise<Reply<undefined>> =>
  callCore(tickets(id, "/transfer"), { method: "POST", credential, body });

async function readFile(
  id: string,
  credential: Credential,
  suffix: "svg" | "pdf" | "ics",
): Promise<Blob | undefined> {
  const core = await findCore();
  if (core === undefined) return undefined;
  try {
    const response = await fetch(core + tickets(id, `.${suffix}`), {
      headers: { authorization: `${credential.scheme} ${credential.token}` },
    });
    return response.ok ? await response.blob() : undefined;
  } catch {
    return undefined;
  }
}

/** The ticket's QR code as a data address: an `<img>` cannot send the token that it needs. */
export async function readPicture(id: string, credential: Credential): Promise<string | undefined> {
  const picture = await readFile(id, credential, "svg");
  return picture && `data:image/svg+xml,${encodeURIComponent(await picture.text())}`;
}

/** Some browsers read the file only a moment after the press. */
const REVOKE_MS = 60_000;

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MS);
}

/** @returns false when the file could not be had. */
export async function saveFile(
  id: string,
  credential: Credential,
  suffix: "pdf" | "ics",
): Promise<boolean> {
  const file = await readFile(id, credential, suffix);
  if (file) saveBlob(file, `${id}.${suffix}`);
  return file !== undefined;
}
