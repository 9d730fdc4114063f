// Who may call which route of the core. The matrix beside this judges every route of the app by it.
import type { Role } from "../../../shared/token/claims.ts";
import { describeSmallEvent } from "../../support/events.ts";

export type Who =
  | "anyone"
  | "fan"
  | "holder"
  | "buyer"
  | "ticket"
  | "account"
  | "gate"
  | "provider"
  | Role;
export type Rule = {
  who: Who;
  /** About one event, which a role must cover; else about the whole house. */
  event?: true;
  /** Also for the key of a door's phone, which may do nothing else. */
  orScanner?: true;
  /** Enough of a body to come as far as the caller's check. */
  body?: unknown;
};

export const EVENT = "matrix";
const SEATS = { seats: ["A-1-20"], reason: "a test" };
const role = (who: Role, body?: unknown): Rule => ({
  who,
  ...(body === undefined ? {} : { body }),
});
const of = (who: Role, body?: unknown): Rule => ({ ...role(who, body), event: true });

export const RULES: Readonly<Record<string, Rule>> = {
  "GET /healthz": { who: "anyone" },
  "GET /readyz": { who: "anyone" },
  "GET /metrics": { who: "anyone" },
  "GET /docs": { who: "anyone" },
  "GET /openapi.json": { who: "anyone" },
  "GET /.well-known/jwks.json": { who: "anyone" },
  "GET /v1/events": { who: "anyone" },
  "GET /v1/events/:event": { who: "anyone" },
  "GET /v1/events/:event/seats": { who: "anyone" },
  "POST /v1/accounts": { who: "anyone" },
  "POST /v1/accounts/verify": { who: "anyone" },
  "DELETE /v1/accounts/session": { who: "anyone" },
  "POST /v1/orders/links": { who: "anyone" },
  "POST /v1/organizer/sessions": { who: "anyone" },
  "GET /v1/organizer/oidc": { who: "anyone" },
  "POST /v1/organizer/oidc/:provider/start": { who: "anyone" },
  "POST /v1/organizer/oidc/:provider/sessions": { who: "anyone" },

  "POST /v1/events/:event/holds": { who: "fan", body: { seats: ["A-1-20"] } },
  "GET /v1/events/:event/stream": { who: "fan" },
  "POST /v1/events/:event/stream": { who: "fan", body: {} },
  "PUT /v1/events/:event/presence": { who: "fan", body: { section: "A" } },
  "GET /v1/carts/me": { who: "fan" },
  "PUT /v1/carts/me": { who: "fan", body: { items: [] } },
  "PATCH /v1/carts/me": { who: "fan", body: { items: [] } },
  "GET /v1/holds/:id": { who: "holder" },
  "POST /v1/holds/:id/extend": { who: "holder" },
  "DELETE /v1/holds/:id": { who: "holder" },
  "POST /v1/orders": {
    who: "holder",
    body: { holdId: "hold_none", buyer: { email: "a@example.com", name: "A" } },
  },

  "GET /v1/orders/:id": { who: "buyer" },
  "GET /v1/orders/:id/stream": { who: "buyer" },
  "POST /v1/orders/:id/attempts": { who: "buyer", body: { method: "pm_ok" } },
  "POST /v1/orders/:id/cancel": { who: "buyer" },
  "POST /v1/orders/:id/page-events": { who: "buyer", body: { events: [{ kind: "pressed" }] } },
  "PATCH /v1/orders/:id/buyer": { who: "buyer", body: { name: "B" } },
  "GET /v1/orders/:id/tickets": { who: "buyer" },
  "POST /v1/orders/:id/mail": { who: "buyer" },
  "GET /v1/orders/:id/export": { who: "buyer" },
  "DELETE /v1/orders/:id/buyer": { who: "buyer" },
  "POST /v1/orders/:id/events": { who: "buyer", body: {} },
  "GET /v1/tickets/:id": { who: "ticket" },
  "POST /v1/tickets/:id/transfer": { who: "ticket", body: {} },
  "GET /v1/tickets/:file{tkt_[\\w-]{1,64}\\.svg}": { who: "ticket" },
  "GET /v1/tickets/:file{tkt_[\\w-]{1,64}\\.pdf}": { who: "ticket" },
  "GET /v1/tickets/:file{tkt_[\\w-]{1,64}\\.ics}": { who: "ticket" },

  "GET /v1/accounts/me": { who: "account" },
  "GET /v1/accounts/me/export": { who: "account" },
  "POST /v1/accounts/me/orders/:id/token": { who: "account" },
  "DELETE /v1/accounts/me": { who: "account" },
  "POST /v1/events/:event/registrations": { who: "account" },

  "POST /v1/admissions/:event/:place/close": { who: "gate" },
  "POST /v1/admissions/:event/:place/nearly": {
    who: "gate",
    body: { email: "fan@example.com", locale: "en", number: 7 },
  },
  "POST /v1/admissions/:event/not-before": {
    who: "gate",
    body: { notBefore: "2020-01-01T00:00:00Z" },
  },
  "POST /v1/webhooks/:provider": { who: "provider", body: {} },

  "GET /v1/organizer/keys": role("owner"),
  "POST /v1/organizer/keys": role("owner", { name: "k", role: "viewer", events: ["*"] }),
  "DELETE /v1/organizer/keys/:id": role("owner"),
  "GET /v1/organizer/audit": role("viewer"),
  "GET /v1/organizer/idempotency/shadow": role("viewer"),
  "PATCH /v1/organizer/idempotency/shadow/:id": role("operator", {}),
  "GET /v1/organizer/payments/causes": role("viewer"),
  "POST /v1/organizer/incidents": role("owner", {}),
  "GET /v1/organizer/incidents/:id": role("viewer"),
  "GET /v1/organizer/reconciliations": role("viewer"),
  "POST /v1/organizer/reconciliations": role("operator", {}),
  // Without an event in the query it is about the whole house.
  "GET /v1/organizer/orders": role("viewer"),
  "GET /v1/organizer/orders/:id": of("viewer"),
  "POST /v1/organizer/orders/:id/refunds": of("operator", {}),
  "GET /v1/organizer/orders/:id/history": of("viewer"),
  "POST /v1/organizer/orders/:id/mail": of("operator", {}),
  "POST /v1/organizer/discrepancies/:id": role("operator", {}),
  "GET /v1/organizer/events/:event/figures": of("viewer"),
  "GET /v1/organizer/events/:event/history": of("viewer"),
  "GET /v1/organizer/events/:event/exports/:what": of("operator"),
  "POST /v1/organizer/events/:event/cancel": of("owner", {}),
  "POST /v1/organizer/events/:event/postpone": of("owner", {}),
  "GET /v1/organizer/events/:event/acts": of("viewer"),
  "GET /v1/organizer/events/:event/rehearsals": of("viewer"),
  "POST /v1/organizer/events/:event/rehearsals": of("operator", {}),
  "DELETE /v1/organizer/events/:event/rehearsals/:id": of("operator"),
  "GET /v1/organizer/events": role("viewer"),
  "GET /v1/organizer/events/:event": of("viewer"),
  "PUT /v1/organizer/events/:event": of("owner", describeSmallEvent()),
  "PUT /v1/organizer/events/:event/seats": of("owner", {}),
  "POST /v1/organizer/events/:event/seats/block": of("operator", SEATS),
  "POST /v1/organizer/events/:event/seats/unblock": of("operator", SEATS),
  "POST /v1/organizer/events/:event/complimentary": of("operator", {
    ...SEATS,
    buyer: { email: "a@example.com", name: "A" },
  }),
  "POST /v1/organizer/events/:event/checkins": { ...of("operator", {}), orScanner: true },
  "GET /v1/organizer/events/:event/void-list": { ...of("viewer"), orScanner: true },
  "GET /v1/organizer/events/:event/webhooks": of("viewer"),
  "POST /v1/organizer/events/:event/webhooks": of("owner", { url: "https://example.com/" }),
  "DELETE /v1/organizer/events/:event/webhooks/:id": of("owner"),
  "GET /v1/organizer/events/:event/webhooks/deliveries": of("viewer"),
  "POST /v1/organizer/events/:event/webhooks/deliveries/:id/resend": of("operator"),
};
