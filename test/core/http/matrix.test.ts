// Every route of the app against every kind of caller. The list of routes is the app's own, so a route
// that is not judged here fails the test.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../core/app.ts";
import { signOrderToken } from "../../../core/orders/token.ts";
import { ROLES, type Role } from "../../../shared/token/claims.ts";
import { signToken } from "../../../shared/token/sign.ts";
import { type House, openHouse, type Reply } from "../house.ts";
import { makeEvent, type Sold, sellSeats } from "../sold.ts";
import { EVENT, RULES, type Rule, type Who } from "./rules.ts";

let house: House;
let sold: Sold;
let routes: string[];
const credentials: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  house = await openHouse();
  await makeEvent(house, EVENT);
  sold = await sellSeats(house, { event: EVENT });
  routes = [
    ...new Set(
      createApp(house.deps)
        .routes.filter(({ method }) => method !== "ALL")
        .map(({ method, path }) => `${method} ${path}`),
    ),
  ];
  const admission = await house.admission({ aud: `core/${EVENT}`, cnf: undefined });
  const others = await house.admission({ aud: "core/another", cnf: undefined });
  const stranger = await sellSeats(house);
  Object.assign(credentials, {
    none: {},
    nonsense: { authorization: "Bearer abc" },
    fan: { authorization: `Bearer ${admission}` },
    "fan of another event": { authorization: `Bearer ${others}` },
    buyer: { authorization: `Order ${await signOrderToken(house.deps, sold.order)}` },
    "buyer of another order": {
      authorization: `Order ${await signOrderToken(house.deps, stranger.order)}`,
    },
    gate: { authorization: `Bearer ${await house.serviceToken()}` },
    "cookie of nobody": { cookie: `sira-account=${"A".repeat(43)}` },
  });
  for (const has of ROLES)
    for (const [name, events] of [
      ["of all", ["*"]],
      ["of the event", [EVENT]],
      ["of another event", ["another"]],
      ["of nothing", []],
    ] as const) {
      const now = Math.floor(Date.now() / 1_000);
      const token = await signToken(house.deps.keys, "organizer", {
        iss: house.deps.config.origin,
        aud: "sira",
        sub: `${has} ${name}`,
        role: has,
        events: [...events],
        iat: now,
        exp: now + 600,
      });
      credentials[`${has} ${name}`] = { authorization: `Bearer ${token}` };
    }
});
afterAll(() => house.close());

const addressOf = (route: string): { method: string; path: string } => {
  const [method = "", pattern = ""] = route.split(" ");
  const id = pattern.includes("/keys") || pattern.includes("/webhooks") ? "none" : sold.order;
  const path = pattern
    .replace(/:file\{.*\\\.(\w+)\}/, `${sold.tickets[0]}.$1`)
    .replace(":event", EVENT)
    .replace(":place", "plc_none")
    .replace(":provider", "simulator")
    .replace(":what", "orders.csv")
    .replace(":id", pattern.includes("/tickets/") ? (sold.tickets[0] ?? "") : id);
  return { method, path };
};

const call = (route: string, rule: Rule, caller: string): Promise<Reply> => {
  const { method, path } = addressOf(route);
  return house.request(method, path, {
    headers: credentials[caller] ?? {},
    ...(rule.body === undefined ? {} : { body: rule.body }),
  });
};
const isRefused = ({ status }: Reply) => status === 401 || status === 403;

const LADDER: readonly Role[] = ["viewer", "operator", "owner"];
const isRole = (who: Who): who is Role => LADDER.some((one) => one === who);

/** Whether this caller may come past the door of this route. */
function mayPass(rule: Rule, caller: string): boolean {
  if (rule.who === "anyone") return true;
  if (isRole(rule.who)) {
    const [, has = "", scope = ""] = /^(owner|operator|viewer|scanner) (.*)$/.exec(caller) ?? [];
    const covers = scope === "of all" || (rule.event === true && scope === "of the event");
    if (has === "scanner") return covers && rule.orScanner === true;
    if (!LADDER.some((one) => one === has)) return false;
    return covers && LADDER.indexOf(has as Role) >= LADDER.indexOf(rule.who);
  }
  if (rule.who === "fan") return caller === "fan";
  // A token says which event it is for; the hold it names is looked for there.
  if (rule.who === "holder") return caller === "fan" || caller === "fan of another event";
  if (rule.who === "buyer" || rule.who === "ticket") return caller === "buyer";
  return rule.who === caller;
}

describe("every route of the app", () => {
  it("is judged here, and nothing else is", () => {
    const judged = new Set(Object.keys(RULES));
    expect(routes.filter((route) => !judged.has(route))).toEqual([]);
  });

  it("lets in whom it should, and nobody else", async () => {
    const wrong: string[] = [];
    let calls = 0;
    for (const [route, rule] of Object.entries(RULES)) {
      if (!routes.includes(route) || rule.who === "anyone" || rule.who === "provider") continue;
      // Carts say by their token for which event they are.
      const anywhere = route.includes("/carts/me");
      for (const caller of Object.keys(credentials)) {
        // These change what the others need.
        const may = mayPass(rule, caller) || (anywhere && caller === "fan of another event");
        if (may && (route.startsWith("DELETE") || route.includes("stream"))) continue;
        calls += 1;
        const reply = await call(route, rule, caller);
        // To a stranger it makes no difference whether another's order or ticket exists.
        const isOut = isRefused(reply) || (!may && reply.status === 404);
        if (isOut === may) wrong.push(`${route} for ${caller}: ${reply.status} ${reply.text}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(calls).toBeGreaterThan(500);
  });

  it("is a 401 to a call without any credential, before its body is looked at", async () => {
    const wrong: string[] = [];
    for (const [route, rule] of Object.entries(RULES)) {
      if (!routes.includes(route) || rule.who === "anyone" || rule.who === "provider") continue;
      const reply = await call(route, rule, "none");
      if (reply.status !== 401) wrong.push(`${route}: ${reply.status} ${reply.text}`);
    }
    expect(wrong).toEqual([]);
  });

  it("about an event that is not there is 404, whatever the method", async () => {
    const wrong: string[] = [];
    const nowhere = "no-such-show";
    const fan = await house.shopper(nowhere);
    const known = { authorization: `Bearer ${await house.organizerToken()}` };
    const gate = { authorization: `Bearer ${await house.serviceToken()}` };
    for (const [route, rule] of Object.entries(RULES)) {
      // Put makes the event; a room may live, and end its admissions, before the event is written.
      if (!route.includes(":event") || route === "PUT /v1/organizer/events/:event") continue;
      if (route.endsWith("/:place/close")) continue;
      const { method, path } = addressOf(route);
      const at = path.replace(`/${EVENT}`, `/${nowhere}`);
      const headers =
        rule.who === "fan" ? fan.headers(method, at) : rule.who === "gate" ? gate : known;
      if (rule.who === "account") continue;
      const isCsv = route === "PUT /v1/organizer/events/:event/seats";
      const reply = await house.request(method, at, {
        headers: isCsv ? { ...headers, "content-type": "text/csv" } : headers,
        ...(isCsv ? { raw: "section,row,number,zone\nA,1,1,x\n" } : {}),
        ...(rule.body === undefined ? {} : { body: rule.body }),
      });
      if (reply.status !== 404 || reply.body["code"] !== "unknown_event")
        wrong.push(`${route}: ${reply.status} ${reply.text}`);
    }
    expect(wrong).toEqual([]);
  });

  it("of a provider believes a signature alone", async () => {
    const route = "POST /v1/webhooks/:provider";
    for (const caller of Object.keys(credentials)) {
      const reply = await call(route, { who: "provider", body: {} }, caller);
      expect([reply.status, reply.body["code"]]).toEqual([400, "webhook_invalid"]);
    }
  });
});
