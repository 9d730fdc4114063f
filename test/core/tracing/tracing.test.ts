import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HoldView } from "../../../shared/contract/holds.ts";
import { createOpenEvent } from "../../support/events.ts";
import { joinQueue, request } from "../../support/fan.ts";
import { type Sira, startSira } from "../../support/sira.ts";
import { waitFor } from "../../support/wait-for.ts";

// One press in a page is followed by one id: through core, database and provider to the mail.
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
};

let collector: Server;
let system: Sira;
const spans: Span[] = [];
let raw = "";

beforeAll(async () => {
  collector = createServer((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    incoming.on("end", () => {
      raw += body;
      const sent: { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] } = JSON.parse(body);
      for (const { scopeSpans } of sent.resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
      outgoing.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const address = collector.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  system = await startSira({
    coreEnv: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`,
      OTEL_BSP_SCHEDULE_DELAY: "100",
    },
  });
});
afterAll(async () => {
  await system?.stop();
  collector?.closeAllConnections();
  collector?.close();
});

test("one id leads from the press to the provider's span and to the mail, and nothing personal does", async () => {
  const { event } = await createOpenEvent(system);
  const fan = await joinQueue(system, event);
  const admission = await fan.admit();
  const hold = await fan.callCore<HoldView>("POST", `/v1/events/${event}/holds`, {
    body: { seats: ["A-1-1"] },
  });
  const order = await fan.callCore<{ id: string; orderToken: string }>("POST", "/v1/orders", {
    body: { holdId: hold.body.id, buyer: { email: "traced@example.com", name: "A Traced Fan" } },
  });
  const { id, orderToken } = order.body;
  const requestId = "page_0123456789-traced";
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const paid = await request("POST", `${system.core}/v1/orders/${id}/attempts`, {
    body: { method: "pm_ok" },
    headers: {
      authorization: `Order ${orderToken}`,
      "idempotency-key": "traced-1",
      "x-request-id": requestId,
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
  });
  expect([paid.status, paid.headers.get("x-request-id")]).toEqual([201, requestId]);

  const ours = () => spans.filter((span) => span.traceId === traceId);
  const root = () => ours().find(({ name }) => name === "POST /v1/orders/:id/attempts");
  await waitFor(() => root() !== undefined);
  expect(root()?.attributes).toContainEqual({
    key: "sira.request_id",
    value: { stringValue: requestId },
  });
  const below = ours().filter(({ parentSpanId }) => parentSpanId === root()?.spanId);
  expect(below.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "postgres create_attempt",
      "provider create",
      "postgres begin_attempt",
      "provider confirm",
      "postgres settle_order",
    ]),
  );

  type Mails = { mails: { to: string[]; requestId: string | null }[] };
  await waitFor(async () => {
    const { body } = await request<Mails>("GET", `${system.mailbox}/mails.json`);
    return body.mails.some((mail) => mail.requestId === requestId);
  });
  for (const secret of ["traced@example.com", "A Traced Fan", orderToken, admission.token])
    expect(raw).not.toContain(secret);
});
