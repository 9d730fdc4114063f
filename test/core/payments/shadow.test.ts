import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeEntry } from "../../../core/payments/front.ts";
import { SHADOW_ENTRIES_MIN } from "../../../core/payments/limits.ts";
import { type ShadowReport, safeToEnforce } from "../../../core/payments/shadow.ts";
import { startTestCore, type TestCore } from "./harness.ts";
import { newBuyer, openSale, pay, seat, unique } from "./sale.ts";

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore(undefined, { IDEMPOTENCY_MODE: "shadow" });
});
afterAll(() => core.stop());

const signIn = async () => {
  const session = await core.call("POST", "/v1/organizer/sessions", {
    body: { key: core.organizerKey },
  });
  return `Bearer ${(JSON.parse(session.text) as { token: string }).token}`;
};

describe("in shadow mode", () => {
  it("nothing is blocked, both requests are kept, and one attempt is still sent once", async () => {
    const buyer = await newBuyer(core, await openSale(core), [seat(1)]);
    const key = unique("key");
    const first = await pay(core, buyer, "pm_ok", key);
    const replay = await pay(core, buyer, "pm_ok", key, { origin: "resume" });
    const otherBody = await pay(core, buyer, "pm_ok", key, { instalments: 3 });
    expect([first.status, replay.status, otherBody.status]).toEqual([201, 201, 201]);
    expect(await core.chargesOf(buyer.order)).toMatchObject([{ calls: { create: 1, confirm: 1 } }]);
    const entries = await core.db.read(
      `select would, first_request ->> 'origin' as first, second_request ->> 'origin' as second,
        second_request ->> 'instalments' as instalments
      from idempotency_shadow where scope = $1 order by created_at`,
      [buyer.order],
    );
    expect(entries).toEqual([
      { would: "replay", first: "press", second: "resume", instalments: null },
      { would: "refuse_body", first: "press", second: "press", instalments: "3" },
    ]);
  });

  it("people judge the entries, and a report says when it is safe to enforce", async () => {
    const authorization = await signIn();
    const path = "/v1/organizer/idempotency/shadow";
    const read = async () =>
      JSON.parse((await core.call("GET", path, { headers: { authorization } })).text) as {
        report: ShadowReport[];
        entries: { id: string }[];
      };
    const { entries } = await read();
    for (const { id } of entries) {
      const marked = await core.call("PATCH", `${path}/${id}`, {
        body: { mark: "true_positive" },
        headers: { authorization },
      });
      expect(marked.status).toBe(204);
    }
    expect((await read()).report).toMatchObject([
      { route: "orders.attempts", entries: 2, truePositives: 2, safeToEnforce: false },
    ]);
    expect((await core.call("GET", path)).status).toBe(401);
  });
});

it("enforcing is safe after enough right entries, all judged and none wrong", () => {
  const good = {
    route: "r",
    entries: SHADOW_ENTRIES_MIN,
    truePositives: SHADOW_ENTRIES_MIN,
    falsePositives: 0,
    unmarked: 0,
  };
  expect(safeToEnforce(good)).toBe(true);
  expect(safeToEnforce({ ...good, falsePositives: 1 })).toBe(false);
  expect(safeToEnforce({ ...good, unmarked: 1 })).toBe(false);
  expect(safeToEnforce({ ...good, truePositives: SHADOW_ENTRIES_MIN - 1 })).toBe(false);
});

describe("an entry of the Redis front", () => {
  const entry = { owner: "req_1", hash: "h", request: {} };
  const reply = { status: 201, contentType: "application/json", body: "{}" };
  it.each([
    [null, "go"],
    ["not json", "go"],
    ['{"half":true}', "go"],
    [JSON.stringify(entry), "in_flight"],
    [JSON.stringify({ ...entry, hash: "other" }), "other_body"],
    [JSON.stringify({ ...entry, reply }), "done"],
  ])("%s means %s", (found, say) => {
    expect(judgeEntry(found, "h").say).toBe(say);
  });
});
