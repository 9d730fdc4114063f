// The OpenAPI document against the core that it describes: every call has its examples, and what the
// running core answers fits what the document says.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Mailbox, startMailbox } from "../../../tools/mailbox/server.ts";
import { type Psp, startPsp } from "../../../tools/psp/server.ts";
import { type House, openHouse } from "../house.ts";
import { type Answered, walkTheApi } from "./walk.ts";

type Schema = Parameters<typeof z.fromJSONSchema>[0];
type Content = Record<string, { schema?: Schema; example?: unknown }>;
type Operation = {
  summary?: string;
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};

/** Calls that the walk leaves out, since what they need is made by a failure; why, for each. */
const NOT_WALKED = new Map([
  ["GET /metrics", "text, read by its own tests"],
  ["GET /v1/events/{event}/stream", "it never ends; test/core/live"],
  ["GET /v1/orders/{id}/stream", "it never ends; test/core/orders"],
  ["POST /v1/webhooks/{provider}", "signed by the provider; test/core/payments"],
  ["PATCH /v1/organizer/idempotency/shadow/{id}", "needs shadow mode; test/core/payments"],
  [
    "POST /v1/organizer/events/{event}/webhooks/deliveries/{id}/resend",
    "needs a delivery; test/core/webhooks",
  ],
  ["PUT /v1/organizer/events/{event}/seats", "a CSV; test/core/events"],
  ["POST /v1/accounts/me/orders/{id}/token", "needs an order of an account; test/core/accounts"],
  ["DELETE /v1/accounts/me", "test/core/accounts"],
  ["POST /v1/organizer/discrepancies/{id}", "needs a difference; test/core/sales"],
  ["POST /v1/organizer/events/{event}/rehearsals", "needs a gate; test/pages/console-sale.test.ts"],
  [
    "DELETE /v1/organizer/events/{event}/rehearsals/{id}",
    "needs a gate; test/pages/console-sale.test.ts",
  ],
  ["POST /v1/organizer/oidc/{provider}/start", "needs a provider; test/core/oidc"],
  ["POST /v1/organizer/oidc/{provider}/sessions", "needs a provider; test/core/oidc"],
  ["DELETE /v1/orders/{id}/buyer", "test/core/buyers"],
]);

let house: House;
let psp: Psp;
let mailbox: Mailbox;
let answered: Answered[];
let operations: Map<string, Operation>;
beforeAll(async () => {
  const secrets = { secret: "simulator-secret", webhookSecret: "whsec_c2VjcmV0c2VjcmV0c2VjcmV0" };
  mailbox = await startMailbox({ port: 0, smtpPort: 0 });
  psp = await startPsp({ port: 0, coreOrigin: "http://127.0.0.1:9", timeScale: 0.01, ...secrets });
  house = await openHouse({
    env: {
      SMTP_URL: mailbox.smtpUrl,
      PSP_ORIGIN: psp.origin,
      PSP_SECRET: secrets.secret,
      PSP_WEBHOOK_SECRET: secrets.webhookSecret,
      OUTBOUND_LOCAL: "true",
    },
  });
  const { text } = await house.request("GET", "/openapi.json");
  const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(text);
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    ),
  );
  answered = await walkTheApi(house, mailbox);
});
afterAll(async () => {
  await house.close();
  await psp.stop();
  await mailbox.stop();
});

/** What does not fit, in words; empty is well. */
function faultsOf(schema: Schema | undefined, value: unknown, where: string): string[] {
  if (!schema) return [`${where}: the document has no schema`];
  const parsed = z.fromJSONSchema(schema).safeParse(value);
  return parsed.success ? [] : [`${where}: ${z.prettifyError(parsed.error)}`];
}
const hasBody = (status: string) => !["204", "304"].includes(status);

describe("every call of the document", () => {
  test("has a summary, and an example of its body and of each answer, which fit their schemas", () => {
    const faults: string[] = [];
    for (const [name, operation] of operations) {
      if (!operation.summary) faults.push(`${name}: no summary`);
      for (const [type, { schema, example }] of Object.entries(
        operation.requestBody?.content ?? {},
      ))
        faults.push(
          ...(example === undefined
            ? [`${name}: no example of its ${type}`]
            : faultsOf(schema, example, `${name} body`)),
        );
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (!hasBody(status)) continue;
        const [[type, answer] = []] = Object.entries(content ?? {});
        if (answer === undefined) faults.push(`${name} ${status}: no content`);
        else if (type?.includes("json"))
          faults.push(...faultsOf(answer.schema, answer.example, `${name} ${status}`));
      }
    }
    expect(faults).toEqual([]);
  });

  test("was made at the running core, but for those that say why not", () => {
    const made = new Set(
      answered.filter(({ reply }) => reply.status < 400).map(({ operation }) => operation),
    );
    const missing = [...operations.keys()].filter((name) => !made.has(name));
    expect(missing.filter((name) => !NOT_WALKED.has(name))).toEqual([]);
    expect([...NOT_WALKED.keys()].filter((name) => made.has(name))).toEqual([]);
  });
});

describe("every answer of the running core", () => {
  test("has a status that the document names, and fits its schema and kind", () => {
    expect(answered.length).toBeGreaterThan(60);
    const faults = answered.flatMap(({ operation, reply }) => {
      const where = `${operation} ${reply.status} ${reply.text.slice(0, 300)}`;
      const response = operations.get(operation)?.responses[reply.status];
      if (!response) return [`${where}: not in the document`];
      if (!hasBody(String(reply.status))) return reply.text === "" ? [] : [`${where}: a body`];
      const [[type = "", answer] = []] = Object.entries(response.content ?? {});
      const isSame = reply.headers.get("content-type")?.startsWith(type) === true;
      if (!isSame) return [`${where}: is ${reply.headers.get("content-type")}, not ${type}`];
      return type.includes("json") ? faultsOf(answer?.schema, reply.body, where) : [];
    });
    expect(faults).toEqual([]);
  });

  test("to an accepted body fits the schema of that body too", () => {
    const faults = answered.flatMap(({ operation, body, reply }) => {
      const content = operations.get(operation)?.requestBody?.content["application/json"];
      if (body === undefined || reply.status >= 400) return [];
      return faultsOf(content?.schema, body, operation);
    });
    expect(faults).toEqual([]);
  });
});

describe("/docs", () => {
  test("is one page that asks no other host and runs no script", async () => {
    const page = await house.request("GET", "/docs");
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<script|src=|@import|url\(|<link/i);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const [name, { summary }] of operations) {
      const [method, path = ""] = name.split(" ");
      expect(page.text).toContain(`<h2>${method} ${path}</h2>`);
      expect(summary).toBeTruthy();
    }
    expect(page.text).toContain("hold_s177MGr1AuhcohvxH6F9Xw");
  });
});
