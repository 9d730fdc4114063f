import { z } from "zod";
import { localeSchema, personNameSchema } from "./common.ts";

/** Tickets after the sale: at the door, and from hand to hand. */

export const SCANS_MAX = 500;

/** One code that a door has read. `id` is the door's own, so that sending it twice is one scan. */
export const scanSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, "8 to 64 letters, digits, hyphens"),
  code: z.string().min(1).max(300),
  /** When it was read, for a door that was offline; now when it is missing. */
  at: z.iso.datetime().optional(),
});

/** `POST /v1/organizer/events/{event}/checkins` */
export const checkinRequestSchema = z.strictObject({
  gate: z.string().trim().min(1).max(60),
  scans: z
    .array(scanSchema)
    .min(1)
    .max(SCANS_MAX)
    .refine((scans) => new Set(scans.map(({ id }) => id)).size === scans.length, "an id twice"),
});
export type CheckinRequest = z.infer<typeof checkinRequestSchema>;

export type ScanResult = "admitted" | "already" | "void" | "superseded" | "unknown" | "invalid";

export type ScanView = {
  id: string;
  result: ScanResult;
  ticket?: string;
  seat?: string;
  zone?: string;
  holder?: string;
  /** `already`: when and where it was admitted. */
  first?: { at: string; gate: string };
  /** Admitted here first, and at another gate as well before this was known. */
  other?: { at: string; gate: string };
};

/** `GET /v1/organizer/events/{event}/void-list`: all that a door needs while it is offline. */
export type VoidList = {
  event: string;
  /** By the database's clock; a door shows how old its list is. */
  madeAt: string;
  /** Public keys of the ticket codes. */
  keys: { kid: string; kty: string; crv: string; x: string; y: string }[];
  void: string[];
  /** Tickets that changed hands, with the only issue that still counts. */
  issues: Record<string, number>;
  used: string[];
};

/** `POST /v1/tickets/{id}/transfer` */
export const transferRequestSchema = z.strictObject({
  name: personNameSchema,
  email: z.email().max(254),
  locale: localeSchema.optional(),
});
export type TransferRequest = z.infer<typeof transferRequestSchema>;

/** `GET /v1/tickets/{id}`, for its holder. */
export type TicketPage = {
  id: string;
  event: { id: string; name: string; venue: string; startsAt: string; timeZone: string };
  seat?: string;
  section?: string;
  row?: string;
  number?: number;
  zone: string;
  holder?: string;
  state: "valid" | "void" | "used";
  code: string;
  issue: number;
};
