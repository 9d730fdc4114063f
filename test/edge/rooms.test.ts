import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Figures } from "../../edge/room/messages.ts";
import { importKeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import { makeKeys } from "../../tools/stack/keys.ts";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

const settings = { opensAt: "2030-01-01T10:00:00Z", early: "fifo" };

const asOrganizer = (token: string, method: string, path: string, body?: unknown) =>
  request(method, stand.gate.origin + path, {
    ...(body === undefined ? {} : { body }),
    headers: { authorization: `Bearer ${token}` },
  });

test.concurrent("an organizer makes a room with its defaults, reads it and changes it under its version", async () => {
  const made = await stand.call("PUT", "/api/rooms/made", settings);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    event: "made",
    epoch: 1,
    version: 1,
    phase: "upcoming",
    ratePerMinute: 60,
    activeMax: 100,
    sessionMs: 600_000,
    claimMs: 60_000,
    doors: 4,
    binding: "dpop",
    mode: "queue",
  });
  const changed = await stand.call(
    "PATCH",
    "/api/rooms/made",
    { ratePerMinute: 120, reason: "more staff" },
    { "if-match": '"1"' },
  );
  expect([changed.status, changed.body["ratePerMinute"], changed.body["version"]]).toEqual([
    200, 120, 2,
  ]);
  const late = await stand.call(
    "PATCH",
    "/api/rooms/made",
    { activeMax: 5 },
    { "if-match": '"1"' },
  );
  expect([late.status, late.body["code"]]).toEqual([412, "version_conflict"]);
  const again = await stand.call("PUT", "/api/rooms/made", settings);
  expect([again.status, again.body["ratePerMinute"]]).toEqual([200, 60]);
  const log = await stand.call<{ entries: Record<string, unknown>[] }>(
    "GET",
    "/api/rooms/made/log",
  );
  expect(log.body.entries.map(({ action }) => action)).toEqual(["settings", "settings", "create"]);
  expect(log.body.entries[1]).toMatchObject({
    actor: `${stand.core.origin}|somebody`,
    before: { ratePerMinute: 60 },
    after: { ratePerMinute: 120 },
    reason: "more staff",
  });
});

test.concurrent("a bad setting is refused with the name of its field", async () => {
  const bad: [Record<string, unknown>, string][] = [
    [{ ratePerMinute: 0 }, "ratePerMinute"],
    [{ activeMax: 0 }, "activeMax"],
    [{ sessionMs: 1_000 }, "sessionMs"],
    [{ notice: "x".repeat(501) }, "notice"],
    [{ opensAt: "tomorrow" }, "opensAt"],
    [{ closesAt: "2029-01-01T10:00:00Z" }, "closesAt"],
    [{ continueTo: "https://shop.example/x" }, "continueTo"],
    [{ returnOrigins: ["http://shop.example"] }, "returnOrigins.0"],
    [{ challenge: "turnstile" }, "challenge"],
    [{ beacon: { kind: "drand", url: "https://internal.example" } }, "beacon.url"],
    [
      { mode: "proxy", proxy: { origin: "http://10.0.0.1", include: [], exclude: [] } },
      "proxy.origin",
    ],
    [{ colour: "red" }, "colour"],
  ];
  for (const [change, field] of bad) {
    const answer = await stand.call("PUT", "/api/rooms/bad", { ...settings, ...change });
    expect([answer.status, answer.body["field"]]).toEqual([422, field]);
  }
  expect((await stand.call("GET", "/api/rooms/bad")).status).toBe(404);
});

test.concurrent("only an organizer's own token opens the console's calls, and a viewer only reads", async () => {
  await stand.room("roles");
  const path = "/api/rooms/roles";
  const viewer = await stand.organizer({ role: "viewer" });
  expect((await asOrganizer(viewer, "GET", path)).status).toBe(200);
  expect((await asOrganizer(viewer, "GET", `${path}/figures`)).status).toBe(200);
  const foreignKeys = await importKeySet((await makeKeys(new Date())).coreKeys, ["organizer"]);
  const seconds = Math.floor(Date.now() / 1_000);
  const forged = await signToken(foreignKeys, "organizer", {
    iss: stand.core.origin,
    aud: "sira",
    sub: "x",
    iat: seconds,
    exp: seconds + 60,
    role: "owner",
    events: ["*"],
  });
  const refused: [string, number, string][] = [
    [viewer, 403, "forbidden"],
    [await stand.organizer({ role: "operator", events: ["another"] }), 403, "forbidden"],
    [await stand.organizer({ aud: "core" }), 401, "credential_invalid"],
    [await stand.organizer({ iss: "https://elsewhere.example" }), 401, "credential_invalid"],
    [await stand.organizer({ exp: seconds - 10 }), 401, "credential_invalid"],
    [await stand.service("slots capacity exchange"), 401, "credential_invalid"],
    [await stand.sign("pass", { aud: "sira", sub: "x" }), 401, "credential_invalid"],
    [forged, 401, "credential_invalid"],
    ["nonsense", 401, "credential_invalid"],
  ];
  for (const [token, status, code] of refused) {
    const answer = await asOrganizer(token, "PATCH", path, { ratePerMinute: 10 });
    expect([answer.status, answer.body["code"]]).toEqual([status, code]);
  }
  const nobody = await request("GET", stand.gate.origin + path);
  expect([nobody.status, nobody.body["code"]]).toEqual([401, "organizer_required"]);
  expect((await stand.call("GET", path)).body["ratePerMinute"]).toBe(600);
});

test("a flood of unknown key ids asks the issuer for its keys no more than once", async () => {
  await stand.room("flood");
  const good = await stand.organizer();
  const [, payload, signature] = good.split(".");
  const before = stand.core.jwksAsked;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => {
      const header = { alg: "ES256", typ: "organizer+jwt", kid: `unknown-${at}` };
      const head = Buffer.from(JSON.stringify(header)).toString("base64url");
      return asOrganizer(`${head}.${payload}.${signature}`, "GET", "/api/rooms/flood");
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(stand.core.jwksAsked - before).toBeLessThanOrEqual(1);
});

test.concurrent("a pause bites at the door within two seconds, and resume lets people in again", async () => {
  await stand.room("pause");
  const first = await joinAs(stand, "pause");
  await first.admit();
  const paused = await stand.call("POST", "/api/rooms/pause/actions", {
    action: "pause",
    reason: "stage door",
  });
  expect([paused.status, paused.body["phase"]]).toEqual([200, "paused"]);
  const pausedAt = Date.now();
  const fans = await Promise.all(Array.from({ length: 5 }, () => joinAs(stand, "pause")));
  while (Date.now() - pausedAt < 4_000) {
    const turns = await Promise.all(fans.map((fan) => fan.turn()));
    for (const { body } of turns) expect(body.state).not.toBe("admitted");
    await sleep(300);
  }
  const status = await stand.status("pause");
  expect(status).toMatchObject({ phase: "paused", reason: "stage door", admitted: 1 });
  const again = await stand.call("POST", "/api/rooms/pause/actions", {
    action: "pause",
    reason: "twice",
  });
  expect([again.status, again.body["code"]]).toEqual([409, "action_not_possible"]);
  await stand.call("POST", "/api/rooms/pause/actions", { action: "resume", reason: "go on" });
  await Promise.all(fans.map((fan) => fan.admit()));
});

test.concurrent("close lets nobody in, tells the core of those inside, and a late joiner hears it", async () => {
  await stand.room("close");
  const inside = await joinAs(stand, "close");
  await inside.admit();
  await stand.call("POST", "/api/rooms/close/actions", { action: "close", reason: "over" });
  const told = await until(async () =>
    stand.core.calls.find(({ path }) => path.includes(inside.joined.place.id)),
  );
  expect(told).toMatchObject({
    method: "POST",
    path: `/v1/admissions/close/${inside.joined.place.id}/close`,
  });
  const join = await request("POST", `${stand.gate.origin}/api/queue/close/places`, {
    body: {
      key: (await joinAs(stand, "close", { key: inside.key }).catch(() => inside)).key.publicJwk,
    },
  });
  expect(join.status).toBe(410);
  await expect(joinAs(stand, "close")).rejects.toThrow("room_closed");
});

test.concurrent("a reset begins a new epoch: old places are gone, old admissions are called off at the core", async () => {
  await stand.room("reset");
  const old = await joinAs(stand, "reset");
  await old.admit();
  const reset = await stand.call("POST", "/api/rooms/reset/actions", {
    action: "reset",
    reason: "rehearsal is over",
  });
  expect([reset.status, reset.body["epoch"]]).toEqual([200, 2]);
  const turn = await old.turn();
  expect([turn.status, turn.body.code]).toEqual([410, "place_gone"]);
  const fresh = await joinAs(stand, "reset", { key: old.key });
  expect(fresh.joined.place.id).not.toBe(old.joined.place.id);
  await until(async () =>
    stand.core.calls.some(({ path }) => path === "/v1/admissions/reset/not-before"),
  );
  await fresh.admit();
  expect((await stand.status("reset")).epoch).toBe(2);
});

test.concurrent("the organizer lets one place in round the line, counted in public", async () => {
  await stand.room("round", { ratePerMinute: 1 });
  const fans = [];
  for (let at = 0; at < 4; at += 1) fans.push(await joinAs(stand, "round"));
  const last = fans.at(-1);
  if (!last) throw new Error("no fan");
  const admit = await stand.call("POST", "/api/rooms/round/actions", {
    action: "admit",
    place: last.joined.place.id,
    reason: "a wheelchair user at the box office",
  });
  expect(admit.status).toBe(200);
  await until(async () => ((await stand.status("round")).letIn ?? 0) === 1);
});

test.concurrent("the figures add up each second and go back over the last hour", async () => {
  await stand.room("figures");
  const fans = await Promise.all(Array.from({ length: 8 }, () => joinAs(stand, "figures")));
  await fans[0]?.admit();
  await fans[1]?.ask("DELETE", "/place");
  const figures = await until(async () => {
    const { body } = await stand.call<Figures>("GET", "/api/rooms/figures/figures");
    return body.gone === 1 && body.issued === 8 && body;
  });
  const { issued, waiting, inside, finished, gone, unreturned } = figures;
  expect(issued).toBe(waiting + inside + finished + gone + unreturned);
  const { perSecond, perMinute } = figures.history;
  expect(perSecond.length).toBeGreaterThan(1);
  expect(perMinute.length).toBeGreaterThan(0);
});

test.concurrent("settings change by themselves at their time, once, and the log says that it was the schedule", async () => {
  const at = new Date(Date.now() + 3_000).toISOString();
  await stand.room("planned", {
    schedule: [
      { at, ratePerMinute: 123, notice: "Faster now.", reason: "as planned" },
      { at: "2035-01-01T00:00:00Z", activeMax: 7 },
    ],
  });
  expect((await stand.status("planned")).ratePerMinute).toBe(600);
  await until(async () => (await stand.status("planned")).ratePerMinute === 123);
  const { body } = await stand.call("GET", "/api/rooms/planned");
  expect(body).toMatchObject({ notice: "Faster now.", activeMax: 50 });
  expect(body["schedule"]).toEqual([{ at: "2035-01-01T00:00:00Z", activeMax: 7 }]);
  const log = await stand.call<{ entries: Record<string, unknown>[] }>(
    "GET",
    "/api/rooms/planned/log",
  );
  expect(log.body.entries[0]).toMatchObject({
    actor: "schedule",
    before: { ratePerMinute: 600 },
    after: { ratePerMinute: 123 },
    reason: "as planned",
  });
  const bad: [unknown, string][] = [
    [[{ at: "2020-01-01T00:00:00Z", ratePerMinute: 5 }], "schedule.0.at"],
    [[{ at: "2035-01-01T00:00:00Z" }], "schedule.0"],
    [[{ at: "2035-01-01T00:00:00Z", doors: 8 }], "schedule.0.doors"],
  ];
  for (const [schedule, field] of bad) {
    const answer = await stand.call("PATCH", "/api/rooms/planned", { schedule });
    expect([answer.status, answer.body["field"]]).toEqual([422, field]);
  }
  // A change that is listed already is no news, however near its time is.
  expect((await stand.call("PATCH", "/api/rooms/planned", { claimMs: 30_000 })).status).toBe(200);
});
