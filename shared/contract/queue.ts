import { z } from "zod";
import { TOKEN_CHARS_MAX } from "../limits.ts";
import type { WaitSpan } from "../wait.ts";
import { localeSchema } from "./common.ts";

/** What a fan's page says to the gate and hears from it. Times are ISO 8601 UTC, durations `…Ms`. */

const base64urlSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** The public half of the page's key; a private member makes the whole request invalid. */
export const publicKeySchema = z.strictObject({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: base64urlSchema,
  y: base64urlSchema,
  ext: z.boolean().optional(),
  key_ops: z.array(z.string()).max(4).optional(),
});

/** `POST /api/queue/{event}/places` */
export const joinRequestSchema = z.strictObject({
  key: publicKeySchema.optional(),
  pass: z.string().max(TOKEN_CHARS_MAX).optional(),
  challenge: z.string().max(TOKEN_CHARS_MAX).optional(),
  locale: localeSchema.optional(),
  /** From a link that takes a place along to this device. */
  move: z.string().max(100).optional(),
});
export type JoinRequest = z.infer<typeof joinRequestSchema>;

/** `POST /api/queue/{event}/turn`; the body may be missing. */
export const turnRequestSchema = z.strictObject({ hidden: z.boolean().optional() });
export type TurnRequest = z.infer<typeof turnRequestSchema>;

/** `PUT /api/queue/{event}/wake`: what is not named is forgotten. */
export const wakeRequestSchema = z.strictObject({
  push: z
    .object({
      endpoint: z.string().max(1_000),
      keys: z.object({ p256dh: z.string().max(100), auth: z.string().max(40) }),
    })
    .optional(),
  email: z.email().max(254).optional(),
  locale: localeSchema.optional(),
});

/** `POST /api/queue/{event}/place/move` */
export type MoveReply = { url: string; endsAt: string };

export type Phase = "upcoming" | "drawing" | "open" | "paused" | "sold_out" | "closed";

/** The shared document, the same for everybody who waits. */
export type StatusDocument = {
  event: string;
  epoch: number;
  /** Rises with every change; a page ignores a lower (epoch, v). */
  v: number;
  phase: Phase;
  reason?: string;
  /** The line's store cannot be asked; what stands here is the last that was known. */
  stale: boolean;
  opensAt: string;
  closesAt?: string;
  now: string;
  pool: {
    count: number;
    commitment?: string;
    seed?: string;
    beacon?: {
      kind: "none" | "drand";
      round?: number;
      /** When the round is due; the draw waits for it. */
      at?: string;
      randomness?: string;
      signature?: string;
      /** The draw goes on without it, as somebody's audited act. */
      without?: boolean;
    };
    root?: string;
    /** Once the pool is closed. */
    size?: number;
  };
  /** The highest number given. */
  issued: number;
  calling: number;
  waiting: number;
  inside: number;
  admitted: number;
  /** Ranges of numbers that nobody ever got: `[first, last]`. */
  gaps?: [number, number][];
  ratePerMinute: number;
  measuredPerMinute: number;
  /** The wait for a thousand people ahead, and the range around it; absent when we cannot say. */
  wait?: {
    perThousandMs: number;
    low: number;
    high: number;
    /** What has been learned for near and far: read with `spanFor` (`shared/wait.ts`) in place of the rest. */
    spans?: WaitSpan[];
  };
  seats?: { available: number; held: number; sold: number };
  /** Pages with fewer than `nearAhead` ahead poll at `nearMs`, all others at `farMs`. */
  poll: { nearMs: number; farMs: number; nearAhead: number };
  early: "draw" | "fifo";
  binding: "dpop" | "none";
  notice?: string;
  /** Numbers above it were let in round the line, as the organizer's audited acts. */
  letIn?: number;
  tiers?: {
    id: string;
    name: string;
    price: { amount: number; currency: string };
    soldOut: boolean;
  }[];
  restored?: { beat: number; spreadMs: number };
  branding?: Branding;
};

export type Branding = {
  name?: string;
  venue?: string;
  startsAt?: string;
  timeZone?: string;
  /** A path of the gate's own: waiting pages ask nobody else for anything. */
  logo?: string;
  accent?: string;
  paper?: string;
  link?: { href: string; text: string };
  links?: { href: string; text: string }[];
  /** By language; the organizer's own sentences, shown as plain text. */
  texts?: Record<string, BrandingTexts>;
};
export type BrandingTexts = { welcome?: string; soldOut?: string; closed?: string };

export type PlaceView = {
  id: string;
  event: string;
  index?: number;
  number?: number;
  joinedAt: string;
};

export type JoinReply = { place: PlaceView; token: string; status: StatusDocument };

export type AdmissionView = { token: string; type: "DPoP" | "Bearer"; expiresAt: string };

export type TurnReply =
  | {
      state: "waiting" | "ready";
      number?: number;
      index?: number;
      ahead?: number;
      /** Calls at which this place did not come in; it is called again while there are few of them. */
      missed?: number;
      calling: number;
      retryAfterMs: number;
    }
  | { state: "admitted"; number?: number; admission: AdmissionView; continueTo: string };

/** `GET /api/queue/{event}/place` */
export type PlaceReply = {
  place: PlaceView;
  state: "waiting" | "ready" | "admitted";
  ahead?: number;
  calling: number;
};
