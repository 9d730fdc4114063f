import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LINE_LANGUAGES, languageOf, wordsOf } from "../../edge/routes/line-words.ts";
import { type PowChallenge, solveChallenge } from "../../shared/challenge/solve.ts";
import type { JoinReply } from "../../shared/contract/queue.ts";
import { TURNSTILE_SCRIPT } from "../../shared/turnstile-script.ts";
import { makeSessionKey } from "../../tools/crowd/session-key.ts";
import { findFreePort } from "../../tools/services/ports.ts";
import { request } from "../support/fan.ts";
import { type Stand, startStand, until } from "./stand.ts";

let stand: Stand;
/** Stands in for Turnstile: a token says what the verifier answers; `away` is no answer. */
let verifier: Server;

beforeAll(async () => {
  verifier = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const chunk of incoming) body += String(chunk);
    const token = new URLSearchParams(body).get("response") ?? "";
    if (token === "away") return void outgoing.writeHead(500).end();
    const [action, cdata] = token.split("|");
    outgoing.end(JSON.stringify({ success: true, action, cdata, hostname: "127.0.0.1" }));
  });
  const port = await findFreePort();
  verifier.listen(port, "127.0.0.1");
  stand = await startStand({
    env: {
      TURNSTILE_SECRET: "a secret",
      TURNSTILE_SITE_KEY: "a-site",
      TURNSTILE_URL: `http://127.0.0.1:${port}/siteverify`,
    },
  });
});
afterAll(async () => {
  await stand.stop();
  verifier.closeAllConnections();
  verifier.close();
});

const pathOf = (event: string) => `${stand.gate.origin}/api/queue/${event}/line`;

test.concurrent("without JavaScript a form joins and a page that looks again by itself lets in by the cookie", async () => {
  await stand.room("plain", { binding: "none" });
  const first = await request("GET", pathOf("plain"));
  expect(first.text).toContain('<form method="post" action="/api/queue/plain/line">');
  const begun = await request("POST", `${stand.gate.origin}/api/line`, {
    headers: { referer: `${stand.gate.origin}/e/plain` },
  });
  expect([begun.status, begun.headers.get("location")]).toEqual([307, "/api/queue/plain/line"]);
  const joined = await request("POST", pathOf("plain"));
  expect([joined.status, joined.headers.get("location")]).toEqual([303, "/api/queue/plain/line"]);
  const cookie = joined.headers.get("set-cookie")?.split(";")[0] ?? "";
  const again = await request("POST", pathOf("plain"), { headers: { cookie } });
  expect(again.status).toBe(303);
  const foreign = await request("POST", pathOf("plain"), {
    headers: { cookie, origin: "https://evil.example" },
  });
  expect(foreign.status).toBe(403);
  const waiting = await request("GET", pathOf("plain"), { headers: { cookie } });
  expect(waiting.text).toContain("Your number: 1");
  expect(Number(waiting.headers.get("refresh"))).toBeGreaterThanOrEqual(2);
  expect(waiting.headers.get("cache-control")).toBe("no-store");
  expect(waiting.headers.get("content-security-policy")).toContain("default-src 'none'");
  const called = await until(async () => {
    const { text } = await request("GET", pathOf("plain"), { headers: { cookie } });
    return text.includes("It is your turn.") && text;
  }, 500);
  expect(called).toContain('href="/shop/plain"');
  expect(called).toContain("The shop itself needs JavaScript.");
  expect((await stand.status("plain")).issued).toBe(1);
});

test.concurrent("another site is entered without JavaScript by its code, and bound rooms say that they need it", async () => {
  await stand.room("plain-shop", {
    binding: "none",
    continueTo: "https://shop.example/enter",
    returnOrigins: ["https://shop.example"],
    notice: "<b>5 > 4</b>",
  });
  const joined = await request("POST", pathOf("plain-shop"));
  const cookie = joined.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await request("GET", pathOf("plain-shop"));
  expect(page.text).toContain("&lt;b&gt;5 &gt; 4&lt;/b&gt;");
  const sent = await until(async () => {
    const answer = await request("GET", pathOf("plain-shop"), { headers: { cookie } });
    return answer.status === 303 && answer.headers.get("location");
  }, 500);
  expect(sent).toMatch(/^https:\/\/shop\.example\/enter\?sira_code=cod_/);
  await stand.room("plain-bound");
  expect((await request("GET", pathOf("plain-bound"))).text).toContain("needs JavaScript");
  expect((await request("POST", pathOf("plain-bound"))).headers.get("set-cookie")).toBeNull();
});

type Challenged = JoinReply & { code: string; challenge: PowChallenge & { kind: string } };

test.concurrent("a room with a proof of work gives a place for a solution, for that place alone, and asks nobody twice", async () => {
  await stand.room("worked", { challenge: "pow" });
  const join = (body: unknown, headers: Record<string, string> = {}) =>
    request<Challenged>("POST", `${stand.gate.origin}/api/queue/worked/places`, { body, headers });
  const key = makeSessionKey().publicJwk;
  const asked = await join({ key });
  expect([asked.status, asked.body.code, asked.body.challenge.kind]).toEqual([
    403,
    "challenge_required",
    "pow",
  ]);
  expect((await stand.status("worked")).issued).toBe(0);
  const { kind: _, ...offered } = asked.body.challenge;
  const challenge = await solveChallenge(offered);
  const other = await join({ key: makeSessionKey().publicJwk, challenge });
  expect([other.status, other.body.code]).toEqual([403, "challenge_failed"]);
  const wrong = await join({ key, challenge: "bm9uc2Vuc2U=" });
  expect([wrong.status, wrong.body.code]).toEqual([403, "challenge_failed"]);
  const joined = await join({ key, challenge });
  expect(joined.status).toBe(201);
  const again = await join({}, { authorization: `Place ${joined.body.token}` });
  expect([again.status, again.body.place.id]).toEqual([200, joined.body.place.id]);
  expect((await join({ key, challenge })).body.place.id).toBe(joined.body.place.id);
});

test.concurrent("the page speaks the browser's language, writes its numbers and has one style of its own", async () => {
  await stand.room("plain-words", {
    binding: "none",
    opensAt: new Date(Date.now() + 86_400_000).toISOString(),
    branding: { timeZone: "Asia/Tokyo" },
  });
  for (const language of LINE_LANGUAGES) {
    const headers = { "accept-language": `xx, ${language}-XX;q=0.9, en;q=0.1` };
    const page = await request("GET", pathOf("plain-words"), { headers });
    const direction = language === "ar" ? "rtl" : "ltr";
    expect(page.text).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(page.text).toContain(wordsOf(language).join);
    expect(page.text).toContain(wordsOf(language).phase.upcoming);
    const nonce = /<style nonce="([^"]+)">/.exec(page.text)?.[1];
    expect(page.headers.get("content-security-policy")).toContain(`style-src 'nonce-${nonce}'`);
  }
  const english = await request("GET", pathOf("plain-words"), {
    headers: { "accept-language": "en" },
  });
  expect(english.text).toMatch(/It opens at .*(GMT\+9|Japan Standard Time|JST)/);
});

test.each([
  ["de-AT, en;q=0.8", "de"],
  ["en;q=0.5, ru", "ru"],
  ["fr;q=0, es;q=0.1", "es"],
  ["xx", "en"],
  [undefined, "en"],
])("Accept-Language %s is answered in %s", (header, language) => {
  expect(languageOf(header)).toBe(language);
});

test.concurrent("a fan without a key solves for the place that the cookie will name", async () => {
  await stand.room("worked-plain", { challenge: "pow", binding: "none" });
  const url = `${stand.gate.origin}/api/queue/worked-plain/places`;
  const asked = await request<Challenged>("POST", url, { body: {} });
  const { kind: _, ...offered } = asked.body.challenge;
  const challenge = await solveChallenge(offered);
  const joined = await Promise.all(
    Array.from({ length: 3 }, () => request<JoinReply>("POST", url, { body: { challenge } })),
  );
  expect(new Set(joined.map(({ body }) => body.place.id)).size).toBe(1);
});

test.concurrent("a room with Turnstile takes a token for its event and place, and offers work while the verifier is away", async () => {
  await stand.room("turned", { challenge: "turnstile" });
  const key = makeSessionKey().publicJwk;
  const join = (challenge?: string) =>
    request<Challenged & { challenge: { cData: string; siteKey: string } }>(
      "POST",
      `${stand.gate.origin}/api/queue/turned/places`,
      { body: { key, ...(challenge === undefined ? {} : { challenge }) } },
    );
  const asked = await join();
  const { cData } = asked.body.challenge;
  expect([asked.status, asked.body.challenge]).toEqual([
    403,
    { kind: "turnstile", siteKey: "a-site", script: TURNSTILE_SCRIPT, action: "turned", cData },
  ]);
  expect((await join(`other|${cData}`)).body.code).toBe("challenge_failed");
  expect((await join("turned|plc_00_x")).body.code).toBe("challenge_failed");
  expect((await join(`turned|${cData}`)).status).toBe(201);
  const away = await join("away");
  expect([away.status, away.body.code, away.body.challenge.kind]).toEqual([
    403,
    "challenge_failed",
    "pow",
  ]);
  // The organizer sees that work stands in for the verifier, and since when.
  const figures = await until(async () => {
    const { body } = await stand.call("GET", "/api/rooms/turned/figures");
    return body["verifierAwayUntil"] !== undefined && body;
  });
  expect(Date.parse(String(figures["verifierAwayUntil"]))).toBeGreaterThan(Date.now() - 60_000);
  const { text } = await stand.call("GET", "/api/rooms/turned/log");
  expect(text.match(/verifier_away/g)).toHaveLength(1);
  const { kind: _, ...offered } = away.body.challenge;
  expect((await join(await solveChallenge(offered))).status).toBe(200);
});
