// How somebody who was admitted shops: holds, orders, pays; with double clicks, two tabs, doubts,
// retries and vanishing. It knows only what the answers say.
import { randomUUID } from "node:crypto";
import type { Answer, Load } from "./load.ts";
import { textOf } from "./load.ts";

/** Headers of one call to the core, made anew each time (a proof counts once). */
export type Credentials = (method: string, path: string) => Record<string, string>;

export type Shopper = {
  readonly name: string;
  readonly event: string;
  readonly place: string;
  readonly credentials: Credentials;
};

const METHODS = [
  ...["pm_ok", "pm_ok", "pm_ok", "pm_ok", "pm_ok", "pm_declined", "pm_declined", "pm_slow"],
  ...["pm_late", "pm_lost", "pm_error", "pm_lagging", "pm_dup_webhook", "pm_late_webhook"],
  ...["pm_only_webhook", "pm_wrong_amount"],
] as const;
const SECTION_ROWS = 20;
const ROW_SEATS = 20;
const LOOKS_MAX = 12;

function wishes(load: Load): object {
  const { dice } = load;
  const quantity = 1 + dice.below(4);
  switch (dice.below(4)) {
    case 0:
      return { best: { quantity } };
    case 1:
      return { zone: "floor", quantity };
    default: {
      // Half of them want the same two rows.
      const row = 1 + (dice.next() < 0.5 ? dice.below(2) : dice.below(SECTION_ROWS));
      const first = 1 + dice.below(ROW_SEATS - quantity);
      return { seats: Array.from({ length: quantity }, (_, n) => `A-${row}-${first + n}`) };
    }
  }
}

/** The same request twice at once: both must be told the same. */
async function doubleClick(
  load: Load,
  share: number,
  call: () => Promise<Answer>,
): Promise<Answer> {
  if (load.dice.next() >= share) return load.insist(call);
  const [first] = await Promise.all([load.insist(call), load.insist(call)]);
  return first;
}

export async function goShopping(load: Load, shopper: Shopper): Promise<void> {
  const { dice } = load;
  for (let tries = 0; tries < 4 && !load.stopped; tries += 1) {
    const hold = await takeHold(load, shopper);
    if (hold === undefined) {
      await load.pause(200 + dice.below(500));
      continue;
    }
    load.holds.push({ id: hold, place: shopper.place });
    if (dice.next() < 0.1) await tryToSteal(load, shopper);
    const mood = dice.next();
    if (mood < 0.12) return;
    if (mood < 0.2) {
      await giveBack(load, shopper, hold);
      continue;
    }
    await buy(load, shopper, hold);
    return;
  }
}

async function takeHold(load: Load, shopper: Shopper): Promise<string | undefined> {
  const { name, event } = shopper;
  const path = `/v1/events/${event}/holds`;
  const ask = (key: string, body: object) => async () => {
    const answer = await load.call({
      tier: "core",
      method: "POST",
      path,
      body,
      headers: { ...shopper.credentials("POST", path), "idempotency-key": key },
    });
    const hold = textOf(answer.body, "id");
    load.note(name, "hold", answer, {
      place: shopper.place,
      ...(answer.outcome === 201 && hold !== undefined ? { hold } : {}),
    });
    return answer;
  };
  const tabs = load.dice.next() < 0.15 ? 2 : 1;
  const answers = await Promise.all(
    Array.from({ length: tabs }, () => doubleClick(load, 0.2, ask(randomUUID(), wishes(load)))),
  );
  const got = answers.find(({ outcome }) => outcome === 201 || outcome === 200);
  return got === undefined ? undefined : textOf(got.body, "id");
}

async function giveBack(load: Load, shopper: Shopper, hold: string): Promise<void> {
  const path = `/v1/holds/${hold}`;
  const answer = await load.insist(() =>
    load.call({
      tier: "core",
      method: "DELETE",
      path,
      headers: shopper.credentials("DELETE", path),
    }),
  );
  load.note(shopper.name, "release", answer, { hold });
}

/** Another's hold, with an admission of one's own. */
async function tryToSteal(load: Load, shopper: Shopper): Promise<void> {
  const others = load.holds.filter(({ place }) => place !== shopper.place);
  if (others.length === 0) return;
  const path = `/v1/holds/${load.dice.pick(others).id}`;
  const answer = await load.call({
    tier: "core",
    method: "DELETE",
    path,
    headers: shopper.credentials("DELETE", path),
  });
  load.note(shopper.name, "steal", answer, { state: path });
}

async function buy(load: Load, shopper: Shopper, hold: string): Promise<void> {
  const buyer = { email: `${shopper.name}@example.org`, name: shopper.name };
  const body = { holdId: hold, buyer, acceptEqualSeats: load.dice.next() < 0.3 };
  const made = await doubleClick(load, 0.2, async () => {
    const answer = await load.call({
      tier: "core",
      method: "POST",
      path: "/v1/orders",
      body,
      headers: shopper.credentials("POST", "/v1/orders"),
    });
    load.note(shopper.name, "order", answer, { hold });
    return answer;
  });
  const order = textOf(made.body, "id");
  const token = textOf(made.body, "orderToken");
  if (order === undefined || token === undefined) return;
  const mine = { ...shopper, order, authorization: `Order ${token}` };
  if (load.dice.next() < 0.08) return;
  await payUntilTold(load, mine);
}

type Ordering = Shopper & { readonly order: string; readonly authorization: string };

async function payUntilTold(load: Load, mine: Ordering): Promise<void> {
  const { dice } = load;
  let method: string = dice.pick(METHODS);
  for (let tries = 0; tries < 4 && !load.stopped; tries += 1) {
    const origin = tries === 0 ? "press" : "retry_after_error";
    const presses = [doubleClick(load, 0.25, press(load, mine, { method, origin }))];
    // Impatient people press in the other tab too, which is another attempt.
    if (dice.next() < 0.12)
      presses.push(load.insist(press(load, mine, { method: dice.pick(METHODS), origin }), 2));
    const [answer] = await Promise.all(presses);
    if (dice.next() < 0.05) return;
    if (answer?.outcome === 402) {
      method = "pm_ok";
      continue;
    }
    const state = answer?.outcome === 201 ? "paid" : await lookUntilTold(load, mine);
    if (state === "pending") {
      method = "pm_ok";
      continue;
    }
    if (state === "paid" && dice.next() < 0.15) await askForRefund(load, mine);
    return;
  }
}

function press(load: Load, mine: Ordering, pay: { method: string; origin: string }) {
  const key = randomUUID();
  return async (): Promise<Answer> => {
    const answer = await load.call({
      tier: "core",
      method: "POST",
      path: `/v1/orders/${mine.order}/attempts`,
      body: pay,
      headers: { authorization: mine.authorization, "idempotency-key": key },
      timeoutMs: 8_000,
    });
    load.note(mine.name, "pay", answer, { order: mine.order, state: pay.method });
    return answer;
  };
}

/** Looks at the order until its attempts have an end. */
async function lookUntilTold(load: Load, mine: Ordering): Promise<string> {
  let state = "unknown";
  for (let looks = 0; looks < LOOKS_MAX && !load.stopped; looks += 1) {
    await load.pause(400 + load.dice.below(400));
    const answer = await load.call({
      tier: "core",
      method: "GET",
      path: `/v1/orders/${mine.order}`,
      headers: { authorization: mine.authorization },
    });
    state = textOf(answer.body, "state") ?? state;
    load.note(mine.name, "look", answer, { order: mine.order, state });
    const attempts = Array.isArray(answer.body["attempts"]) ? answer.body["attempts"] : [];
    const open = attempts.some((one: { state?: string }) =>
      ["created", "sent", "unknown"].includes(one.state ?? ""),
    );
    if (state !== "pending" && state !== "unknown") return state;
    if (answer.outcome === 200 && !open) return state;
  }
  return state;
}

/** The organizer gives the money back, pressing twice now and then. */
async function askForRefund(load: Load, mine: Ordering): Promise<void> {
  const token = await organizerToken(load);
  if (token === undefined) return;
  const key = randomUUID();
  await doubleClick(load, 0.5, async () => {
    const answer = await load.call({
      tier: "core",
      method: "POST",
      path: `/v1/organizer/orders/${mine.order}/refunds`,
      body: { reason: "The buyer cannot come." },
      headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
    });
    load.note("organizer", "refund", answer, { order: mine.order });
    return answer;
  });
}

export async function organizerToken(load: Load): Promise<string | undefined> {
  const answer = await load.insist(() =>
    load.call({
      tier: "core",
      method: "POST",
      path: "/v1/organizer/sessions",
      body: { key: load.town.keys.organizerKey },
    }),
  );
  return textOf(answer.body, "token");
}
