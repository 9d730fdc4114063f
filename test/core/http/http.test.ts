import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BODY_BYTES_MAX } from "../../../shared/limits.ts";
import { type House, openHouse } from "../house.ts";
import { expectProblem } from "./problem.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

describe("a bad request is a problem document", () => {
  test("an unknown path", async () => {
    expectProblem(await house.request("GET", "/v1/nothing"), "not_found");
  });

  test("a wrong method, with the right ones named", async () => {
    const reply = await house.request("DELETE", "/v1/organizer/sessions");
    expectProblem(reply, "method_not_allowed");
    expect(reply.headers.get("allow")).toBe("POST");
  });

  test("a wrong method on a path with parameters", async () => {
    const reply = await house.request("PUT", "/v1/admissions/alpha/plc_1/close", { body: {} });
    expectProblem(reply, "method_not_allowed");
  });

  test("a body that is not JSON", async () => {
    const reply = await house.request("POST", "/v1/organizer/sessions", { raw: "{key:" });
    expectProblem(reply, "malformed_json");
  });

  test("a body of another kind", async () => {
    const reply = await house.request("POST", "/v1/organizer/sessions", {
      raw: "key=0123456789abcdef",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expectProblem(reply, "unsupported_media_type");
  });

  test("a packed body, which nobody here unpacks", async () => {
    const reply = await house.request("POST", "/v1/organizer/sessions", {
      body: { key: "none" },
      headers: { "content-encoding": "gzip" },
    });
    expectProblem(reply, "unsupported_media_type");
  });

  test("an event id that cannot be one, as an event that is not there", async () => {
    for (const event of ["No_Such", "x".repeat(65), "%E0%A4%A"])
      for (const path of [`/v1/events/${event}`, `/v1/events/${event}/seats`])
        expectProblem(await house.request("GET", path), "unknown_event");
  });

  test("no body where one is needed", async () => {
    expectProblem(await house.request("POST", "/v1/organizer/sessions"), "invalid_request");
  });

  test("a body beyond its bound, by its announced length and by its real one", async () => {
    const raw = JSON.stringify({ key: "k".repeat(BODY_BYTES_MAX) });
    expectProblem(await house.request("POST", "/v1/organizer/sessions", { raw }), "body_too_large");
    const chunked = await house.request("POST", "/v1/organizer/sessions", {
      raw,
      headers: { "transfer-encoding": "chunked", "content-length": "" },
    });
    expectProblem(chunked, "body_too_large");
  });

  test("an unknown field, which is named", async () => {
    const reply = await house.request("POST", "/v1/organizer/sessions", {
      body: { key: "0123456789abcdef", remember: true },
    });
    expectProblem(reply, "invalid_request");
    expect(reply.body["errors"]).toEqual([{ field: "remember", message: "unknown field" }]);
    expect(reply.body["detail"]).toContain("remember");
  });

  test("a field of the wrong kind or a missing one, each named", async () => {
    const authorization = `Bearer ${await house.organizerToken()}`;
    const reply = await house.request("POST", "/v1/organizer/keys", {
      headers: { authorization },
      body: { role: "king", events: ["Not An Event"] },
    });
    expectProblem(reply, "invalid_request");
    const errors = reply.body["errors"] as { field: string }[];
    expect(errors.map(({ field }) => field).sort()).toEqual(["events.0", "name", "role"]);
  });

  test("a bad parameter of the path", async () => {
    const token = await house.admission({ aud: "core/Alpha" });
    const reply = await house.request("PUT", "/v1/events/Alpha/presence", {
      headers: { authorization: `Bearer ${token}` },
      body: { section: "A" },
    });
    expectProblem(reply, "invalid_request");
  });

  test("an unknown query parameter, which is named", async () => {
    const authorization = `Bearer ${await house.organizerToken()}`;
    const reply = await house.request("GET", "/v1/organizer/audit?since=1", {
      headers: { authorization },
    });
    expectProblem(reply, "invalid_request");
    expect(reply.body["errors"]).toMatchObject([{ field: "since" }]);
  });

  test.each([
    "/v1/events/alpha%2fbeta/presence",
    "/v1/events/%2e%2e/presence",
    "/v1//events/alpha/presence",
    "/v1/events/alpha%00/presence",
    "/V1/events/alpha/presence",
    "/v1/events/alpha/presence/",
  ])("a path in an unusual form: %s", async (path) => {
    expectProblem(await house.request("PUT", path, { body: { section: "A" } }), "not_found");
  });

  test("more headers than anybody needs", async () => {
    const headers = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x-h-${i}`, "1"]));
    expectProblem(await house.request("GET", "/healthz", { headers }), "invalid_request");
  });
});

describe("every answer", () => {
  test("carries a request id, taken over when harmless and made anew when not", async () => {
    const ask = async (id: string) =>
      (await house.request("GET", "/healthz", { headers: { "x-request-id": id } })).headers.get(
        "x-request-id",
      );
    expect(await ask("req_0123456789")).toBe("req_0123456789");
    expect(await ask("short")).toMatch(/^req_/);
    expect(await ask('"><script>alert(1)</script>')).toMatch(/^req_/);
  });

  test("lets the gate's origin read it, and no other", async () => {
    const ask = (origin: string) => house.request("GET", "/healthz", { headers: { origin } });
    const ours = await ask(house.gate.origin);
    expect(ours.headers.get("access-control-allow-origin")).toBe(house.gate.origin);
    const exposed = ours.headers.get("access-control-expose-headers") ?? "";
    for (const name of ["x-request-id", "DPoP-Nonce", "Retry-After", "RateLimit"])
      expect(exposed).toContain(name);
    expect((await ask("https://evil.test")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("allows the headers that a fan's call needs, in a preflight", async () => {
    const reply = await house.request("OPTIONS", "/v1/orders", {
      headers: {
        origin: house.gate.origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,dpop,idempotency-key,content-type",
      },
    });
    expect(reply.status).toBe(204);
    const allowed = (reply.headers.get("access-control-allow-headers") ?? "").toLowerCase();
    for (const name of ["authorization", "dpop", "idempotency-key"])
      expect(allowed).toContain(name);
  });

  test("is allowed across origins also when it is a refusal", async () => {
    const reply = await house.request("GET", "/v1/carts/me", {
      headers: { origin: house.gate.origin },
    });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("access-control-allow-origin")).toBe(house.gate.origin);
  });
});
