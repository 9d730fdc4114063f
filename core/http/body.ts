import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { Refusal } from "../../shared/errors.ts";
import { BODY_BYTES_MAX, SEAT_MAP_BYTES_MAX } from "../../shared/limits.ts";
import type { AppEnv } from "./router.ts";

const limit = (maxSize: number): MiddlewareHandler<AppEnv> =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new Refusal("body_too_large", { facts: { maxBytes: maxSize } });
    },
  });

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
