import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

test.concurrent("the core frees and extends slots with its service token, by the right jti alone", async () => {
  await stand.room("slots");
  const fan = await joinAs(stand, "slots");
  const { admission } = await fan.admit();
  const claims = JSON.parse(
    Buffer.from(admission.token.split(".")[1] ?? "", "base64url").toString(),
  );
  const path = `${stand.gate.origin}/api/rooms/slots/slots/${fan.joined.place.id}`;
  const call = async (scope: string, body: unknown) =>
    await request("POST", path, {
      body,
      headers: { authorization: `Bearer ${await stand.service(scope)}` },
    });
  expect((await call("capacity", { action: "release", jti: claims.jti })).status).toBe(403);
  const wrong = await call("slots", { action: "release", jti: "another" });
  expect(wrong.body).toEqual({ changed: false });
  const untilMs = Date.now() + 1_200_000;
  const extended = await call("slots", { action: "extend", jti: claims.jti, untilMs });
  expect(extended.body).toMatchObject({ changed: true });
  const later = await fan.admit();
  expect(Date.parse(later.admission.expiresAt)).toBeGreaterThan(Date.parse(admission.expiresAt));
  const released = await call("slots", { action: "release", jti: claims.jti });
  expect(released.body).toEqual({ changed: true });
  expect((await fan.turn()).status).toBe(410);
  const again = await request("POST", `${stand.gate.origin}/api/queue/slots/places`, {
    body: { key: fan.key.publicJwk },
  });
  expect(again.status).toBe(410);
});

test.concurrent("a room that has once had a capacity report holds when reports stop, and says all in baskets", async () => {
  await stand.room("pace");
  const path = `${stand.gate.origin}/api/rooms/pace/capacity`;
  const report = async (change: Record<string, unknown>) =>
    await request("POST", path, {
      body: {
        inFlight: 1,
        p95Ms: 10,
        limitPerMinute: 6_000,
        available: 100,
        held: 0,
        paying: 0,
        sold: 0,
        at: new Date().toISOString(),
        ...change,
      },
      headers: { authorization: `Bearer ${await stand.service("capacity")}` },
    });
  expect((await report({})).status).toBe(204);
  await until(async () => (await stand.status("pace")).seats?.available === 100);
  await report({ available: 0, held: 4 });
  const held = await until(async () => {
    const status = await stand.status("pace");
    return status.reason === "all_in_baskets" && status;
  });
  expect(held.phase).toBe("open");
  const fan = await joinAs(stand, "pace");
  await sleep(1_500);
  expect((await fan.turn()).body.state).toBe("waiting");
  await report({ available: 3 });
  await fan.admit();
  expect((await report({ at: "yesterday" })).status).toBe(422);
});
