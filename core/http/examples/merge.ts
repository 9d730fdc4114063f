import { ERRORS, type ErrorCode } from "../../../shared/errors.ts";
import { FAN_EXAMPLES } from "./fans.ts";
import { ORGANIZER_EXAMPLES } from "./organizers.ts";
import type { Examples } from "./parts.ts";

/**
 * Puts an example, and the schema that it is an example of, to every call of the OpenAPI document.
 * Pure. Each reply's schema is read off its example: what is in the example is in every reply, with
 * that type, but for names that end in `?`. A test holds real replies against these schemas.
 */

export const EXAMPLES: Examples = { ...FAN_EXAMPLES, ...ORGANIZER_EXAMPLES };

type Schema = { [keyword: string]: unknown };
type Content = Record<string, { schema?: unknown; example?: unknown }>;
type Operation = {
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
};
type Document = { paths?: Record<string, unknown> };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const nameOf = (name: string) => name.replace(/\?$/, "");

/** The example as a client sees it. */
export function plainOf(example: unknown): unknown {
  if (Array.isArray(example)) return example.map(plainOf);
  if (!isObject(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [nameOf(name), plainOf(value)]),
  );
}

export function schemaOf(example: unknown): Schema {
  if (example === null) return {};
  if (Array.isArray(example))
    return { type: "array", items: example.length === 0 ? {} : schemaOf(example[0]) };
  if (isObject(example)) {
    const names = Object.keys(example);
    return {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [nameOf(name), schemaOf(example[name])])),
      required: names.filter((name) => !name.endsWith("?")),
    };
  }
  return { type: Number.isInteger(example) ? "integer" : typeof example };
}

const json = (example: unknown): Content => ({
  "application/json": { schema: schemaOf(example), example: plainOf(example) },
});

/** A problem, by the first code that the description of this status names. */
function problemOf(status: string, description = ""): Content | undefined {
  const [, code = ""] = /`(\w+)`/.exec(description) ?? [];
  const isCode = (text: string): text is ErrorCode => text in ERRORS;
  if (Number(status) < 400 || !isCode(code)) return undefined;
  const example = {
    type: `urn:sira:problem:${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    code,
    "detail?": "what about this very request, where there is more to say",
    requestId: "req_srF_rE9FcSQNnrmF9cEV7A",
  };
  return {
    "application/problem+json": { schema: schemaOf(example), example: plainOf(example) },
  };
}

function illustrate(operation: Operation, name: string): void {
  const { body, replies = {} } = EXAMPLES[name] ?? {};
  for (const content of Object.values(operation.requestBody?.content ?? {}))
    if (body !== undefined) content.example = plainOf(body);
  for (const [status, response] of Object.entries(operation.responses)) {
    const reply = replies[Number(status)];
    const content =
      typeof reply === "string"
        ? { [reply]: { schema: { type: "string" } } }
        : reply === undefined
          ? problemOf(status, response.description)
          : json(reply);
    if (content) response.content = content;
  }
}

/** A copy of the document with examples; operations are named `GET /v1/events`. */
export function withExamples<Given extends object>(document: Given): Given & Document {
  const copy: Given & { paths?: Record<string, Record<string, Operation>> } =
    structuredClone(document);
  for (const [path, item] of Object.entries(copy.paths ?? {}))
    for (const [method, operation] of Object.entries(item))
      if (isObject(operation) && "responses" in operation)
        illustrate(operation, `${method.toUpperCase()} ${path}`);
  return copy;
}
