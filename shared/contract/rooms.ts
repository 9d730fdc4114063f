import { z } from "zod";
import {
  AUDIT_BYTES_MAX,
  CLAIM_MS_DEFAULT,
  NOTICE_CHARS_MAX,
  SESSION_MS_DEFAULT,
  SESSION_MS_MIN,
} from "../limits.ts";
import { eventIdSchema, instantSchema, reasonSchema } from "./common.ts";
import { timeZoneSchema } from "./events.ts";

/** What an organizer says to a room of the gate, and hears from it. */

export const ROOM_ACTIONS = [
  "open",
  "pause",
  "stop",
  "resume",
  "sold_out",
  "reopen",
  "close",
  "reset",
  "admit",
  "draw_without_beacon",
] as const;
export type RoomActionName = (typeof ROOM_ACTIONS)[number];

const colourSchema = z.string().regex(/^#[0-9a-fA-F]{6}$/, "a colour like #b3202a");
const linkSchema = z.strictObject({
  href: z.url({ protocol: /^https$/ }).max(300),
  text: z.string().min(1).max(60),
});
const brandTextSchema = z.string().max(300);
/** About 9 kB of picture: more than that nobody on a bad network should wait for. */
const LOGO_CHARS_MAX = 12_000;

const brandingSchema = z.strictObject({
  name: z.string().max(120).optional(),
  venue: z.string().max(120).optional(),
  startsAt: instantSchema.optional(),
  timeZone: timeZoneSchema.optional(),
  /** In the settings themselves, so that waiting pages ask no third party for it. */
  logo: z
    .string()
    .max(LOGO_CHARS_MAX)
    .regex(
      /^data:image\/(?:png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|webp;base64,UklGR)[A-Za-z0-9+/]*={0,2}$/,
      "a PNG, JPEG or WebP picture as a data: address",
    )
    .optional(),
  accent: colourSchema.optional(),
  paper: colourSchema.optional(),
  link: linkSchema.optional(),
  links: z.array(linkSchema).max(5).optional(),
  texts: z
    .partialRecord(
      z.enum(["tr", "en", "de", "fr", "es", "ar", "ru"]),
      z.strictObject({
        welcome: brandTextSchema.optional(),
        soldOut: brandTextSchema.optional(),
        closed: brandTextSchema.optional(),
      }),
    )
    .optional(),
});

/** An absolute http(s) address, or a path of the gate's own origin. */
const returnAddressSchema = z
  .string()
  .max(500)
  .refine((text) => /^\/(?![/\\])/.test(text) || /^https?:\/\//.test(text), "a path or an address");

const originSchema = z
  .string()
  .max(300)
  .refine((text) => URL.canParse(text) && new URL(text).origin === text, "an origin");

const SCHEDULE_MAX = 50;

/** What the room changes by itself at that time; a change that was made leaves the list. */
const scheduledChangeSchema = z.strictObject({
  at: instantSchema,
  ratePerMinute: z.int().min(1).max(100_000).optional(),
  activeMax: z.int().min(1).max(1_000_000).optional(),
  claimMs: z.int().min(10_000).max(600_000).optional(),
  pace: z.enum(["fixed", "measured"]).optional(),
  notice: z.string().max(NOTICE_CHARS_MAX).optional(),
  /** Stands in the audit log. */
  reason: reasonSchema.optional(),
});

const settings = {
  opensAt: instantSchema,
  closesAt: instantSchema.optional(),
  ratePerMinute: z.int().min(1).max(100_000),
  activeMax: z.int().min(1).max(1_000_000),
  sessionMs: z.int().min(SESSION_MS_MIN).max(7_200_000),
  claimMs: z.int().min(10_000).max(600_000),
  early: z.enum(["draw", "fifo"]),
  pace: z.enum(["fixed", "measured"]),
  binding: z.enum(["dpop", "none"]),
  entry: z.enum(["open", "pass"]),
  challenge: z.enum(["none", "pow", "turnstile"]),
  beacon: z.strictObject({
    kind: z.enum(["none", "drand"]),
    url: z.url().max(300).optional(),
  }),
  doors: z.int().min(1).max(64),
  continueTo: returnAddressSchema.optional(),
  returnOrigins: z.array(originSchema).max(20),
  mode: z.enum(["queue", "proxy"]),
  proxy: z
    .strictObject({
      origin: originSchema,
      include: z.array(z.string().max(200)).max(50),
      exclude: z.array(z.string().max(200)).max(50),
    })
    .optional(),
  notice: z.string().max(NOTICE_CHARS_MAX),
  schedule: z.array(scheduledChangeSchema).max(SCHEDULE_MAX),
  branding: brandingSchema,
  /** Everybody may read the fairness report. */
  publishFairness: z.boolean(),
  /** The room is a copy of that event's, for a synthetic crowd; only such a room can be removed. */
  rehearsalOf: eventIdSchema.optional(),
};

/** `PUT /api/rooms/{event}`: the whole; what is missing takes its default. */
export const roomSettingsSchema = z.strictObject({
  ...settings,
  ratePerMinute: settings.ratePerMinute.default(60),
  activeMax: settings.activeMax.default(100),
  sessionMs: settings.sessionMs.default(SESSION_MS_DEFAULT),
  claimMs: settings.claimMs.default(CLAIM_MS_DEFAULT),
  early: settings.early.default("draw"),
  pace: settings.pace.default("fixed"),
  binding: settings.binding.default("dpop"),
  entry: settings.entry.default("open"),
  challenge: settings.challenge.default("none"),
  beacon: settings.beacon.default({ kind: "none" }),
  doors: settings.doors.default(4),
  returnOrigins: settings.returnOrigins.default([]),
  mode: settings.mode.default("queue"),
  notice: settings.notice.default(""),
  schedule: settings.schedule.default([]),
  branding: settings.branding.default({}),
  publishFairness: settings.publishFairness.default(false),
});
export type RoomSettings = z.infer<typeof roomSettingsSchema>;

/** `PATCH /api/rooms/{event}`: what is named changes; `reason` goes to the audit log. */
export const roomPatchSchema = z.strictObject({
  ...z.strictObject(settings).partial().shape,
  reason: reasonSchema.optional(),
});
export type RoomPatch = z.infer<typeof roomPatchSchema>;

/** `POST /api/rooms/{event}/actions` */
export const roomActionSchema = z.strictObject({
  action: z.enum(ROOM_ACTIONS),
  place: z.string().max(64).optional(),
  reason: reasonSchema,
});
export type RoomAction = z.infer<typeof roomActionSchema>;

/** `POST /api/rooms/{event}/slots/{place}` */
export const slotRequestSchema = z.strictObject({
  action: z.enum(["release", "extend"]),
  jti: z.string().max(128),
  /** Extend until this instant, ms since 1970 by the core's database clock. */
  untilMs: z.int().min(0).optional(),
});
export type SlotRequest = z.infer<typeof slotRequestSchema>;

/** `POST /api/rooms/{event}/capacity`: one dated reading of the core, each second. */
/** More price tiers than these no waiting page shows. */
export const TIERS_MAX = 12;
const tierSchema = z.strictObject({
  id: z.string().max(64),
  name: z.string().max(120),
  price: z.strictObject({ amount: z.int().min(0), currency: z.string().regex(/^[A-Z]{3}$/) }),
  /** Nothing available, and nothing in a basket that may come back. */
  soldOut: z.boolean(),
});

export const capacityReportSchema = z.strictObject({
  inFlight: z.int().min(0),
  p95Ms: z.number().min(0),
  limitPerMinute: z.int().min(0),
  available: z.int().min(0),
  held: z.int().min(0),
  paying: z.int().min(0),
  sold: z.int().min(0),
  tiers: z.array(tierSchema).max(TIERS_MAX).optional(),
  at: instantSchema,
});
export type CapacityReport = z.infer<typeof capacityReportSchema>;

/** Values in the audit log are cut to this many bytes. */
export const AUDIT_VALUE_BYTES_MAX = AUDIT_BYTES_MAX;

/** `GET /api/rooms/{event}/fairness`, and `GET /api/queue/{event}/fairness` where it is published. */
export type FairnessReport = {
  event: string;
  epoch: number;
  at: string;
  /** People who used an admission. */
  admitted: number;
  /** Called after somebody with a higher number: they were not at the door when it was their turn. */
  inversions: { count: number; afterMiss: number; largest: number };
  /** Any rolling minute against the highest rate that was in force in it. */
  overAdmissions: { count: number; busiestMinute: number; rateThen: number };
  promises: { kept: number; made: number };
  letIn: { count: number; acts: { at: string; reason: string }[] };
  /** Epochs that were begun and thrown away by a reset. */
  resets: number;
};
