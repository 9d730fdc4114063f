import type { Context } from "hono";
import type { z } from "zod";
import { Refusal } from "../../shared/errors.ts";
import { invalidRequest } from "./invalid.ts";
import { refuseBrokenText } from "./text.ts";

/** The JSON body in this form, after the caller was recognised; 400 or 422 naming the field. */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    body = await c.req.json();
  } catch {
    throw new Refusal("malformed_json");
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw invalidRequest(parsed.error);
  refuseBrokenText(parsed.data);
  return parsed.data;
}
