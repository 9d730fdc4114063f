import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JoinReply } from "../../shared/contract/queue.ts";
import { makeProof, makeSessionKey } from "../../tools/crowd/session-key.ts";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand } from "./stand.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

const join = (event: string, body: unknown, headers: Record<string, string> = {}) =>
  request<JoinReply & { code?: string }>("POST", `${stand.gate.origin}/api/queue/${event}/places`, {
    body,
    headers,
  });

test.concurrent("fifty parallel first joins of one browser make one place", async () => {
  await stand.room("many");
  const key = makeSessionKey().publicJwk;
  const answers = await Promise.all(Array.from({ length: 50 }, () => join("many", { key })));
  expect(new Set(answers.map(({ body }) => body.place.id)).size).toBe(1);
  expect(new Set(answers.map(({ body }) => body.place.number))).toEqual(new Set([1]));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const status = await stand.status("many");
  expect(status.issued).toBeLessThanOrEqual(1);
});

test.concurrent("a place is known again by its token, its cookie or its key, and keeps its number", async () => {
  await stand.room("known");
  await joinAs(stand, "known");
  const fan = await joinAs(stand, "known");
  const { id, number, joinedAt } = fan.joined.place;
  const again = [
    await join("known", {}, { authorization: `Place ${fan.token}` }),
    await join("known", {}, { cookie: fan.cookie }),
    await join("known", { key: fan.key.publicJwk }),
    await join("known", { key: fan.key.publicJwk }, { cookie: fan.cookie }),
  ];
  for (const answer of again) {
    expect(answer.status).toBe(200);
    expect(answer.body.place).toMatchObject({ id, number });
  }
  expect(again[0]?.body.place.joinedAt).toBe(joinedAt);
  const place = await fan.ask("GET", "/place");
  expect(place.body).toMatchObject({ place: { id, number }, calling: expect.any(Number) });
});

test.concurrent("a token and a cookie of two places are refused, and so is another browser's key", async () => {
  await stand.room("conflict");
  const one = await joinAs(stand, "conflict");
  const two = await joinAs(stand, "conflict");
  const both = await join(
    "conflict",
    {},
    {
      authorization: `Place ${one.token}`,
      cookie: two.cookie,
    },
  );
  expect([both.status, both.body.code]).toEqual([409, "place_conflict"]);
  const turn = await request("POST", `${stand.gate.origin}/api/queue/conflict/turn`, {
    headers: { authorization: `Place ${one.token}`, cookie: two.cookie },
  });
  expect([turn.status, turn.body["code"]]).toEqual([409, "place_conflict"]);
  const key = await join("conflict", { key: two.key.publicJwk }, { cookie: one.cookie });
  expect([key.status, key.body.code]).toEqual([409, "place_conflict"]);
  // The fan was asked: another place is wanted, e.g. because the old one's key is lost.
  const asked = await request<JoinReply>(
    "POST",
    `${stand.gate.origin}/api/queue/conflict/places?replace=1`,
    { body: { key: two.key.publicJwk }, headers: { cookie: one.cookie } },
  );
  expect([asked.status, asked.body.place.id]).toEqual([200, two.joined.place.id]);
});

test.concurrent("in a room without binding a cookie is enough, and says so in the admission", async () => {
  await stand.room("loose", { binding: "none" });
  const first = await join("loose", {});
  expect(first.status).toBe(201);
  const cookie = first.headers.get("set-cookie") ?? "";
  expect(cookie).toContain("HttpOnly");
  expect(cookie).toContain("SameSite=Lax");
  const [pair = ""] = cookie.split(";");
  const again = await join("loose", {}, { cookie: pair });
  expect([again.status, again.body.place.id]).toEqual([200, first.body.place.id]);
  const fan = await joinAs(stand, "loose", { bound: false });
  const { admission } = await fan.admit();
  expect(admission.type).toBe("Bearer");
  expect(decodeJwt(admission.token)["cnf"]).toBeUndefined();
});

test.concurrent("whoever leaves is gone for good, and the core is told when they were inside", async () => {
  await stand.room("leave");
  const waiting = await joinAs(stand, "leave");
  expect((await waiting.ask("DELETE", "/place")).status).toBe(204);
  expect((await waiting.turn()).status).toBe(410);
  expect((await join("leave", { key: waiting.key.publicJwk })).status).toBe(410);
  const inside = await joinAs(stand, "leave");
  await inside.admit();
  const left = await inside.ask("DELETE", "/place");
  expect(left.status).toBe(204);
  expect(left.headers.get("set-cookie")).toContain("Max-Age=0");
  const told = stand.core.calls.filter(({ path }) => path.includes("/leave/"));
  expect(told.map(({ path }) => path)).toEqual([
    `/v1/admissions/leave/${inside.joined.place.id}/close`,
  ]);
  expect((await inside.turn()).status).toBe(410);
});

test.concurrent("leaving works with the core down", async () => {
  await stand.room("leave-down");
  const fan = await joinAs(stand, "leave-down");
  await fan.admit();
  stand.core.down.add("leave-down");
  expect((await fan.ask("DELETE", "/place")).status).toBe(204);
  expect((await fan.turn()).status).toBe(410);
});

test.concurrent("with entry passes one account has one place, and the device that shows the pass last has it", async () => {
  await stand.room("pass", { entry: "pass" });
  const pass = await stand.sign("pass", { aud: "room/pass", sub: "account-1" });
  const without = await join("pass", { key: makeSessionKey().publicJwk });
  expect([without.status, without.body.code]).toEqual([403, "pass_required"]);
  const phone = await joinAs(stand, "pass", { body: { pass } });
  const laptop = await joinAs(stand, "pass", { body: { pass } });
  expect(laptop.joined.place.id).toBe(phone.joined.place.id);
  expect(laptop.joined.place.number).toBe(phone.joined.place.number);
  expect(decodeJwt(laptop.token)).toMatchObject({
    gen: 2,
    acct: `${stand.core.origin}|account-1`,
  });
  const moved = await phone.turn();
  expect([moved.status, moved.body.code]).toEqual([409, "moved"]);
  const { admission } = await laptop.admit();
  expect(decodeJwt(admission.token)).toMatchObject({ gen: 2, acct: expect.any(String) });
  const third = await join("pass", { key: makeSessionKey().publicJwk, pass });
  expect([third.status, third.body.code]).toEqual([409, "moved"]);
  for (const bad of [
    await stand.sign("pass", { aud: "room/other", sub: "account-1" }),
    await stand.organizer(),
    "nonsense",
  ]) {
    const answer = await join("pass", { key: makeSessionKey().publicJwk, pass: bad });
    expect([answer.status, answer.body.code]).toEqual([401, "credential_invalid"]);
  }
});

test.concurrent("a shop on another origin changes its visitor's code for the admission, once", async () => {
  await stand.room("shop", {
    continueTo: "https://shop.example/enter?lang=tr",
    returnOrigins: ["https://shop.example"],
  });
  const fan = await joinAs(stand, "shop");
  const { continueTo } = await fan.admit();
  const address = new URL(continueTo);
  expect([address.origin, address.searchParams.get("lang")]).toEqual([
    "https://shop.example",
    "tr",
  ]);
  const code = address.searchParams.get("sira_code");
  const exchange = async (token: string, sent: unknown) =>
    await request<{ admission: { type: string; token: string }; code?: string }>(
      "POST",
      `${stand.gate.origin}/api/queue/shop/exchange`,
      { body: { code: sent }, headers: { authorization: `Bearer ${token}` } },
    );
  const service = await stand.service("exchange");
  expect((await exchange(await stand.service("slots"), code)).status).toBe(403);
  expect((await exchange(await stand.organizer(), code)).status).toBe(401);
  const answers = await Promise.all([exchange(service, code), exchange(service, code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const good = answers.find(({ status }) => status === 200);
  expect(good?.body.admission.type).toBe("Bearer");
  expect(decodeJwt(good?.body.admission.token ?? "")).toMatchObject({
    aud: "core/shop",
    sub: fan.joined.place.id,
  });
  expect((await exchange(service, "cod_00_AAAAAAAAAAAAAAAAAAAAAA")).body.code).toBe(
    "exchange_invalid",
  );
});

test.concurrent("the place cookie alone does not open a bound place", async () => {
  await stand.room("stolen");
  const fan = await joinAs(stand, "stolen");
  const url = `${stand.gate.origin}/api/queue/stolen/turn`;
  const thief = makeSessionKey();
  for (const dpop of [undefined, makeProof(thief, { method: "POST", url, token: fan.token })]) {
    const answer = await request("POST", url, {
      headers: { cookie: fan.cookie, ...(dpop === undefined ? {} : { dpop }) },
    });
    expect([answer.status, answer.body["code"]]).toEqual([401, "place_invalid"]);
  }
});
