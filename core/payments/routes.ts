import { Refusal } from "../../shared/errors.ts";
import { ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { newRouter, type Router } from "../http/router.ts";
import { receiveWebhook } from "./webhooks.ts";

/** `/v1/webhooks/{provider}`: believed for its signature alone. */
export function paymentRoutes(deps: Deps): Router {
  const app = newRouter();
  document(app, {
    method: "post",
    path: "/v1/webhooks/{provider}",
    summary: "What the payment provider tells unasked, signed by it.",
    answers: { 200: "done, or done before", 202: "kept until the charge is known here" },
    refusals: ["webhook_invalid", "body_too_large", "not_found"],
  });
  app.post("/v1/webhooks/:provider", async (c) => {
    const provider = c.req.param("provider");
    if (provider !== deps.payments.name) throw new Refusal("not_found");
    const ctx = ctxFor(deps, {
      actor: { kind: "webhook", provider },
      requestId: c.get("requestId"),
      log: c.get("log"),
    });
    const verdict = await receiveWebhook(ctx, {
      headers: c.req.raw.headers,
      body: await c.req.text(),
    });
    // 202: kept, and done once the charge is known here.
    return c.json({ received: verdict }, verdict === "parked" ? 202 : 200);
  });
  return app;
}
