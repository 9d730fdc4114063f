// The crowd: fans who stand in the line, buyers who hold an admission already (so that the sale is
// under more pressure than any gate would let through), and those who try what is not allowed.
import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { coreAudience } from "../../shared/token/claims.ts";
import { importKeySet, type KeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import { makeProof, makeSessionKey } from "../../tools/crowd/session-key.ts";
import { type Answer, isNoAnswer, type Load, textOf } from "./load.ts";
import { goShopping, type Shopper } from "./shopping.ts";

/** One who has joined, for a last look when everything is quiet. */
export type Waiting = {
  readonly place: string;
  /** Asks for its turn and writes down the answer. */
  turn(): Promise<Answer>;
  done: boolean;
};

const NEAR_MS = 700;
const TURNS_MAX = 4_000;

export async function beFan(
  load: Load,
  options: { readonly event: string; readonly n: number; readonly waiting: Waiting[] },
): Promise<void> {
  const { dice } = load;
  const { event, n } = options;
  const key = makeSessionKey();
  const name = `fan-${n}`;
  const base = `/api/queue/${event}`;
  const address = { "cf-connecting-ip": `198.18.${(n >> 8) & 255}.${n & 255}` };
  const join = async (): Promise<Answer> => {
    const answer = await load.call({
      tier: "gate",
      method: "POST",
      path: `${base}/places`,
      body: { key: key.publicJwk },
      headers: address,
    });
    load.note(name, "join", answer, placeFacts(answer));
    return answer;
  };
  // Many tabs, one browser: one place.
  const tabs = dice.next() < 0.2 ? 2 : 1;
  const [joined] = await Promise.all(Array.from({ length: tabs }, () => load.insist(join, 40)));
  let token = (joined && textOf(joined.body, "token")) ?? "";
  if (joined === undefined || token === "") return;
  const { place = "" } = placeFacts(joined);
  let signed = placeFacts(joined).number;
  // As the page does: a receipt without a number is shown until it comes back with one. Only what is
  // signed survives whatever Redis loses.
  const fetchReceipt = async (): Promise<Answer> => {
    const path = `${base}/places`;
    const answer = await load.call({
      tier: "gate",
      method: "POST",
      path,
      body: { key: key.publicJwk },
      headers: { ...address, authorization: `Place ${token}` },
    });
    load.note(name, "join", answer, placeFacts(answer));
    token = textOf(answer.body, "token") ?? token;
    signed = placeFacts(answer).number ?? signed;
    return answer;
  };

  const turn = async (): Promise<Answer> => {
    const path = `${base}/turn`;
    const answer = await load.call({
      tier: "gate",
      method: "POST",
      path,
      body: {},
      headers: {
        ...address,
        authorization: `Place ${token}`,
        dpop: makeProof(key, { method: "POST", url: load.town.edge + path, token }),
      },
    });
    const number = answer.body["number"];
    const admission = admissionOf(answer);
    load.note(name, "turn", answer, {
      place,
      ...(typeof number === "number" ? { number } : {}),
      ...(admission === undefined ? {} : { jti: admission.jti }),
    });
    return answer;
  };
  const ask = () => (signed === undefined ? fetchReceipt() : turn());
  const waiting: Waiting = { place, turn: ask, done: false };
  options.waiting.push(waiting);
  // Some close the page for good; some leave by the button.
  const patience = dice.next() < 0.25 ? dice.below(20) : TURNS_MAX;
  for (let turns = 0; turns < patience && !load.stopped; turns += 1) {
    const answer = await ask();
    if (answer.outcome === 410) {
      waiting.done = true;
      return;
    }
    const admission = admissionOf(answer);
    if (admission !== undefined) {
      waiting.done = true;
      if (dice.next() < 0.3) await turn();
      await shopAsFan(load, { name, event, place, key, admission });
      if (dice.next() < 0.5) await leave(load, { name, base, token, key, address, place });
      return;
    }
    await load.pause(NEAR_MS * (0.7 + 0.6 * dice.next()));
  }
}

type Admission = { readonly token: string; readonly jti: string };

function admissionOf(answer: Answer): Admission | undefined {
  const admission = answer.body["admission"];
  if (answer.outcome !== 200 || typeof admission !== "object" || admission === null)
    return undefined;
  const token = "token" in admission && typeof admission.token === "string" ? admission.token : "";
  return { token, jti: String(decodeJwt(token).jti) };
}

function placeFacts(answer: Answer): { place?: string; number?: number } {
  const { place } = answer.body;
  if (typeof place !== "object" || place === null || !("id" in place)) return {};
  const number = "number" in place && typeof place.number === "number" ? place.number : undefined;
  return { place: String(place.id), ...(number === undefined ? {} : { number }) };
}

type Key = ReturnType<typeof makeSessionKey>;

async function shopAsFan(
  load: Load,
  fan: { name: string; event: string; place: string; key: Key; admission: Admission },
): Promise<void> {
  const { name, event, place, key, admission } = fan;
  const { token } = admission;
  const credentials: Shopper["credentials"] = (method, path) => ({
    authorization: `DPoP ${token}`,
    dpop: makeProof(key, { method, url: load.town.core + path, token }),
  });
  if (load.dice.next() < 0.3) await replay(load, { name, event, credentials });
  await goShopping(load, { name, event, place, credentials });
}

/** A proof counts once; the first showing must have been seen for the second to say anything. */
async function replay(load: Load, shopper: Pick<Shopper, "name" | "event" | "credentials">) {
  const path = `/v1/events/${shopper.event}/presence`;
  const headers = shopper.credentials("PUT", path);
  const show = () =>
    load.call({ tier: "core", method: "PUT", path, body: { section: "A" }, headers });
  const first = await show();
  if (isNoAnswer(first)) return;
  const core = load.town.pid("core");
  const answer = await show();
  // Another process knows of it through Redis alone, which may have been away or slow just then.
  if (core === load.town.pid("core") && load.town.coreProcesses === 1)
    load.note(shopper.name, "replay", answer);
}

async function leave(
  load: Load,
  fan: {
    name: string;
    base: string;
    token: string;
    key: Key;
    address: Record<string, string>;
    place: string;
  },
): Promise<void> {
  const path = `${fan.base}/place`;
  const answer = await load.call({
    tier: "gate",
    method: "DELETE",
    path,
    headers: {
      ...fan.address,
      authorization: `Place ${fan.token}`,
      dpop: makeProof(fan.key, { method: "DELETE", url: load.town.edge + path, token: fan.token }),
    },
  });
  load.note(fan.name, "leave", answer, { place: fan.place });
}

export const importGateKeys = (load: Load): Promise<KeySet> =>
  importKeySet(load.town.keys.gateKeys, ["place", "admission", "service"]);

/** An admission as the gate signs it, without the gate: `binding: none`. */
export async function mintAdmission(
  keys: KeySet,
  options: { edge: string; event: string; place: string },
): Promise<string> {
  const iat = Math.floor(Date.now() / 1_000) - 1;
  return signToken(keys, "admission", {
    iss: options.edge,
    aud: coreAudience(options.event),
    sub: options.place,
    epoch: 1,
    gen: 0,
    jti: randomUUID(),
    iat,
    nbf: iat,
    exp: iat + 900,
  });
}

export async function beBuyer(
  load: Load,
  options: { readonly event: string; readonly n: number; readonly keys: KeySet },
): Promise<void> {
  const { event, n, keys } = options;
  const name = `buyer-${n}`;
  const place = `plc_${name}-${randomUUID()}`;
  const token = await mintAdmission(keys, { edge: load.town.edge, event, place });
  const shopper: Shopper = {
    name,
    event,
    place,
    credentials: () => ({ authorization: `Bearer ${token}` }),
  };
  if (load.dice.next() < 0.1) await forge(load, shopper, token);
  await goShopping(load, shopper);
}

/** One field changed, one byte of the signature changed, no signature, a webhook of nobody's. */
async function forge(load: Load, shopper: Shopper, token: string): Promise<void> {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: "plc_other" })).toString(
    "base64url",
  );
  const flipped = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  const none = Buffer.from(JSON.stringify({ typ: "admission+jwt", alg: "none" }));
  const forged = load.dice.pick([
    ["another subject", `${header}.${changed}.${signature}`],
    ["another signature", `${header}.${payload}.${flipped}`],
    ["no signature", `${none.toString("base64url")}.${payload}.`],
  ] as const);
  const path = `/v1/events/${shopper.event}/holds`;
  const answer = await load.call({
    tier: "core",
    method: "POST",
    path,
    body: { best: { quantity: 1 } },
    headers: { authorization: `Bearer ${forged[1]}` },
  });
  load.note(shopper.name, "forge", answer, { state: forged[0] });
  const webhook = await load.call({
    tier: "core",
    method: "POST",
    path: "/v1/webhooks/simulator",
    body: { type: "charge.succeeded", data: { id: "ch_nobody", state: "succeeded" } },
    headers: {
      "webhook-id": `evt_${randomUUID()}`,
      "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
      "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
    },
  });
  load.note(shopper.name, "forge", webhook, { state: "a webhook" });
}
