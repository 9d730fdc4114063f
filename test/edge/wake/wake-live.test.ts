// Waking fans whose page is closed, and taking a place along to another device, at a real gate.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JoinReply, MoveReply } from "../../../shared/contract/queue.ts";
import { makeProof, makeSessionKey, type SessionKey } from "../../../tools/crowd/session-key.ts";
import { type Answer, request } from "../../support/fan.ts";
import { type Stand, startStand } from "../stand.ts";
import { startPushService } from "./push-service.ts";

const WAIT = { timeout: 25_000, interval: 200 };

describe("a fan with a key", () => {
  let stand: Stand;
  let service: Awaited<ReturnType<typeof startPushService>>;
  beforeAll(async () => {
    service = await startPushService();
    stand = await startStand({ env: { PUSH_HOSTS: `${service.origin},fcm.googleapis.com` } });
  });
  afterAll(async () => {
    await stand?.stop();
    await service?.stop();
  });

  const at = (event: string, what: string) => `${stand.gate.origin}/api/queue/${event}/${what}`;

  async function join(event: string, body: object = {}, key = makeSessionKey(), query = "") {
    const answer = await request<JoinReply>("POST", at(event, `places${query}`), {
      body: { key: key.publicJwk, ...body },
    });
    return { key, answer, token: answer.body.token, event };
  }
  type Fan = { key: SessionKey; token: string; event: string };

  function as<Body>(fan: Fan, method: string, what: string, body?: object): Promise<Answer<Body>> {
    const url = at(fan.event, what);
    const { key, token } = fan;
    return request<Body>(method, url, {
      ...(body === undefined ? {} : { body }),
      headers: { authorization: `Place ${token}`, dpop: makeProof(key, { method, url, token }) },
    });
  }
  const act = (event: string, action: string) =>
    stand.call("POST", `/api/rooms/${event}/actions`, { action, reason: "a test" });

  async function openPaused(event: string): Promise<void> {
    await stand.room(event, { ratePerMinute: 600, early: "fifo" });
    await act(event, "pause");
  }

  test("is woken by a signed and encrypted push, and a dead subscription is forgotten", async () => {
    await openPaused("wake");
    const fans = [];
    for (const path of ["/alive", "/dead", "/redirect"]) {
      const fan = await join("wake");
      service.dead.add("/dead");
      const push = service.subscription(path);
      expect((await as(fan, "PUT", "wake", { push })).status).toBe(204);
      fans.push(fan);
    }
    const quiet = await join("wake");
    await as(quiet, "PUT", "wake", { push: service.subscription("/quiet") });
    expect((await as(quiet, "PUT", "wake")).status).toBe(204);
    const mailed = await join("wake");
    expect(
      (await as(mailed, "PUT", "wake", { email: "deniz@example.com", locale: "tr" })).status,
    ).toBe(204);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    // A paused line calls nobody, and so nobody is woken.
    expect(service.asked).toEqual([]);
    await act("wake", "resume");
    await expect
      .poll(() => service.delivered.map(({ word }) => word), WAIT)
      .toContainEqual({ kind: "called", event: "wake", number: 1 });
    expect(service.faults).toEqual([]);
    const [first] = service.delivered;
    expect(first).toMatchObject({ path: "/alive", urgency: "high", sub: stand.gate.origin });
    expect(first?.ttl).toBeLessThanOrEqual(300);
    const nearly = () => stand.core.calls.filter(({ path }) => path.endsWith("/nearly"));
    await expect.poll(() => nearly().length, WAIT).toBe(1);
    expect(JSON.parse(nearly()[0]?.body ?? "")).toMatchObject({
      email: "deniz@example.com",
      locale: "tr",
    });
    const before = service.asked.filter((path) => path === "/dead").length;
    expect(before).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(service.asked.filter((path) => path === "/dead")).toHaveLength(1);
    // A service that sends us elsewhere is not followed; one that was asked for quiet is not called.
    expect(service.asked).not.toContain("/elsewhere");
    expect(service.asked).not.toContain("/quiet");
    expect(nearly()).toHaveLength(1);
  });

  test("cannot make the gate call anybody but a push service", async () => {
    await openPaused("guard");
    const fan = await join("guard");
    const { keys } = service.subscription("/x");
    for (const endpoint of [
      "http://127.0.0.1:6379/",
      "https://core.internal/x",
      "https://fcm.googleapis.com:444/",
    ])
      expect((await as(fan, "PUT", "wake", { push: { endpoint, keys } })).status).toBe(422);
    const push = { endpoint: "https://fcm.googleapis.com/x", keys: { ...keys, auth: "AAAA" } };
    expect((await as(fan, "PUT", "wake", { push })).status).toBe(422);
    const config = await request<{ push: string }>("GET", `${stand.gate.origin}/api/config`);
    expect(Buffer.from(config.body.push, "base64url")).toHaveLength(65);
  });

  test("takes the place to another device by a link that is good once", async () => {
    await openPaused("move");
    const old = await join("move");
    const offered = await as<MoveReply>(old, "POST", "place/move");
    expect(offered.status).toBe(200);
    const move = new URL(offered.body.url).hash.slice("#move=".length);
    const fresh = await join("move", { move });
    expect(fresh.answer.status).toBe(200);
    expect(fresh.answer.body.place.number).toBe(old.answer.body.place.number);
    // The old device is told so, by its token and by its key alike, and cannot take it back.
    expect((await as(old, "POST", "turn", {})).body).toMatchObject({ code: "moved" });
    expect((await join("move", {}, old.key)).answer.body).toMatchObject({ code: "moved" });
    expect((await as(old, "POST", "place/move")).body).toMatchObject({ code: "moved" });
    expect((await as(fresh, "POST", "turn", {})).status).toBe(200);
    const third = await join("move", { move });
    expect(third.answer.body).toMatchObject({ code: "exchange_invalid" });
    // A newer link ends the older.
    const one = await as<MoveReply>(fresh, "POST", "place/move");
    await as<MoveReply>(fresh, "POST", "place/move");
    const late = await join("move", { move: new URL(one.body.url).hash.slice("#move=".length) });
    expect(late.answer.body).toMatchObject({ code: "exchange_invalid" });
  });

  test("sees the organizer's picture from the gate itself, and nothing that is not a picture", async () => {
    await openPaused("brand");
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const patch = (branding: object) => stand.call("PATCH", "/api/rooms/brand", { branding });
    for (const bad of [
      { logo: "https://elsewhere.example/logo.png" },
      { logo: "data:image/svg+xml;base64,PHN2Zz4=" },
      { logo: `data:image/png;base64,${Buffer.from("<script>").toString("base64")}` },
      { accent: "red;}" },
      { links: [{ href: "javascript:alert(1)", text: "x" }] },
      { texts: { xx: { welcome: "x" } } },
      { texts: { en: { welcome: "x".repeat(301) } } },
    ])
      expect((await patch(bad)).status, JSON.stringify(bad)).toBe(422);
    const good = await patch({
      name: "Harbour",
      accent: "#b3202a",
      logo: `data:image/png;base64,${png}`,
      texts: { en: { welcome: "<b>Hello</b>" } },
    });
    expect(good.status).toBe(200);
    const { branding } = await stand.status("brand");
    expect(branding).toMatchObject({ texts: { en: { welcome: "<b>Hello</b>" } } });
    const answer = await fetch(stand.gate.origin + (branding?.logo ?? ""));
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(Buffer.from(await answer.arrayBuffer()).toString("base64")).toBe(png);
  });
});
