import type { z } from "zod";
import { Refusal } from "../../shared/errors.ts";
import { BODY_BYTES_MAX } from "../../shared/limits.ts";

/**
 * Reads a JSON body, bounded before it is parsed, and checks it. An empty body counts as `{}` where
 * `optional` says so. @throws {Refusal} 400, 413, 415 or 422, the last naming the field.
 */
export async function readBody<T extends z.ZodType>(
  request: Request,
  schema: T,
  more: { optional?: boolean } = {},
): Promise<z.infer<T>> {
  const text = await readText(request);
  if (text === "" && more.optional) return check(schema, {});
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refusal("unsupported_media_type");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal("malformed_json");
  }
  return check(schema, value);
}

export function check<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.slice(0, 20).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.slice(0, 20).map((key) => ({
          field: [...issue.path, key].join("."),
          message: "not a known field",
        }))
      : [{ field: issue.path.join("."), message: issue.message }],
  );
  const first = errors[0];
  throw new Refusal("invalid_request", {
    detail: first ? `${first.field || "body"}: ${first.message}` : "The body is not valid.",
    facts: { errors, ...(first?.field ? { field: first.field } : {}) },
  });
}

async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX)
    throw new Refusal("body_too_large");
  if (!request.body) return "";
  const decoder = new TextDecoder();
  const reader = request.body.getReader();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > BODY_BYTES_MAX) {
      await reader.cancel();
      throw new Refusal("body_too_large");
    }
    text += decoder.decode(value, { stream: true });
  }
}
