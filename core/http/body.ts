import type { MiddlewareHandler } from "hono";
import { Refusal } from "../../shared/errors.ts";
import { BODY_BYTES_MAX, SEAT_MAP_BYTES_MAX } from "../../shared/limits.ts";
import type { AppEnv } from "./router.ts";

/** What is too long is read to its end all the same, so far and so long: see `discard`. */
const DISCARD_BYTES_MAX = 16 * 1024 * 1024;
const DISCARD_MS = 5_000;

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/**
 * Most clients send everything before they read anything. One that is answered and cut off in the
 * middle of its body sees a broken connection and never the answer, so the rest is read and thrown
 * away first; what never ends is cut off in the end.
 */
async function discard(reader: Reader): Promise<void> {
  let left = DISCARD_BYTES_MAX;
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), DISCARD_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      left -= value?.byteLength ?? 0;
      if (done || left < 0) return;
    }
  } catch {
    // The sender has gone; there is nobody to answer.
  } finally {
    clearTimeout(timer);
  }
}

/**
 * After every refusal, whether the body was too long or was never looked at: whoever sends a seat map
 * with a session that has ended hears 401, and not that the connection broke. Outermost, since a slow
 * sender's time is not ours and must not look as if we were slow.
 */
export const unreadBodies: MiddlewareHandler<AppEnv> = async function readUnread(c, next) {
  await next();
  if (c.res.status < 400 || c.req.method === "GET" || c.req.method === "HEAD") return;
  const { body } = c.req.raw;
  if (body && !body.locked) await discard(body.getReader());
};

/** `undefined` beyond the bound. */
async function readBounded(reader: Reader, maxBytes: number) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts);
    size += value.byteLength;
    if (size > maxBytes) return undefined;
    parts.push(value);
  }
}

const limit =
  (maxBytes: number): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { raw } = c.req;
    if (!raw.body) return next();
    const tooLarge = new Refusal("body_too_large", { facts: { maxBytes } });
    const announced = c.req.header("content-length");
    if (announced !== undefined && c.req.header("transfer-encoding") === undefined) {
      // The server reads no more than was announced.
      if (Number(announced) <= maxBytes) return next();
      throw tooLarge;
    }
    const reader = raw.body.getReader();
    const body = await readBounded(reader, maxBytes);
    reader.releaseLock();
    if (body === undefined) throw tooLarge;
    c.req.raw = new Request(raw, { body });
    return next();
  };

const small = limit(BODY_BYTES_MAX);
const seatMap = limit(SEAT_MAP_BYTES_MAX);
/** Providers send whole objects in their webhooks. */
const WEBHOOK_BYTES_MAX = 512 * 1024;
const webhook = limit(WEBHOOK_BYTES_MAX);
/** A list of two thousand charges. */
const INCIDENT_BYTES_MAX = 128 * 1024;
const incident = limit(INCIDENT_BYTES_MAX);

/** Organizers send seat maps and CSV files, providers send events; everybody else little. */
export const bodyBounds: MiddlewareHandler<AppEnv> = (c, next) => {
  if (c.req.path.startsWith("/v1/organizer/events/")) return seatMap(c, next);
  if (c.req.path.startsWith("/v1/webhooks/")) return webhook(c, next);
  if (c.req.path === "/v1/organizer/incidents") return incident(c, next);
  return small(c, next);
};

/**
 * A body on these methods is JSON, unless the route reads another kind; said before it is parsed, so
 * that a form of another site never counts as a call.
 */
export const bodyKinds: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { method } = c.req;
  if (method !== "POST" && method !== "PUT" && method !== "PATCH") return next();
  const length = c.req.header("content-length");
  const chunked = c.req.header("transfer-encoding") !== undefined;
  if (!chunked && (length === undefined || length === "0")) return next();
  // Nothing is unpacked here: taken as it came, such a body would mean what its sender did not write.
  const coding = c.req.header("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity")
    throw new Refusal("unsupported_media_type", { reason: "content-encoding" });
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const isCsv = type === "text/csv" && c.req.path.startsWith("/v1/organizer/");
  if (type === "application/json" || isCsv || c.req.path.startsWith("/v1/webhooks/")) return next();
  throw new Refusal("unsupported_media_type");
};
