import { describe, expect, it } from "vitest";
import {
  CHALLENGE_MS,
  type ChallengeFor,
  difficultyOf,
  judgeSolution,
  makeChallenge,
  type PowOffer,
} from "../../../edge/guard/challenge.ts";
import { type PowChallenge, solveChallenge } from "../../../shared/challenge/solve.ts";

const SECRET = "a secret of the room";
const ABOUT = { event: "alpha", epoch: 1, place: "plc_1" };
const EASY = { cost: 10, stepsMin: 3, stepsMax: 6 };
const now = Date.now();
const expected = { event: "alpha", epoch: 1, now };

const asChallenge = ({ parameters, signature }: PowOffer): PowChallenge => ({
  parameters: parameters as PowChallenge["parameters"],
  signature,
});
async function solved(about: ChallengeFor = ABOUT, secret = SECRET): Promise<string> {
  const offer = await makeChallenge(secret, about, { now, difficulty: EASY });
  const payload = await solveChallenge(asChallenge(offer));
  if (payload === undefined) throw new Error("not solved");
  return payload;
}
type Payload = {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: Record<string, unknown>;
};
const changed = (payload: string, change: (open: Payload) => void): string => {
  const open: Payload = JSON.parse(atob(payload));
  change(open);
  return btoa(JSON.stringify(open));
};

describe("a proof of work", () => {
  it("is solved by the page's own few lines and accepted by the library", async () => {
    const verdict = await judgeSolution(SECRET, await solved(), expected);
    expect(verdict).toMatchObject({ ok: true, value: { place: "plc_1", seed: undefined } });
  });

  it("carries the seed of a place that is made from a cookie", async () => {
    const verdict = await judgeSolution(
      SECRET,
      await solved({ ...ABOUT, seed: "nonce" }),
      expected,
    );
    expect(verdict).toMatchObject({ ok: true, value: { seed: "nonce" } });
  });

  it("has an id of its own each time, by which it is used once", async () => {
    const ids = new Set<unknown>();
    for (let i = 0; i < 5; i += 1) {
      const verdict = await judgeSolution(SECRET, await solved(), expected);
      ids.add(verdict.ok && verdict.value.id);
    }
    expect(ids.size).toBe(5);
  });

  it("is for one event and one epoch, of one room's secret, for minutes", async () => {
    const payload = await solved();
    const judge = (more: object, secret = SECRET) =>
      judgeSolution(secret, payload, { ...expected, ...more });
    expect(await judge({ event: "beta" })).toEqual({ ok: false, error: "other_event" });
    expect(await judge({ epoch: 2 })).toEqual({ ok: false, error: "other_event" });
    expect(await judge({ now: now + CHALLENGE_MS + 1_000 })).toEqual({
      ok: false,
      error: "expired",
    });
    expect(await judge({}, "another")).toEqual({ ok: false, error: "not_ours" });
  });

  it("cannot be made easier, longer, or another's by whoever solves it", async () => {
    const payload = await solved();
    const changes: ((open: Payload) => void)[] = [
      ({ challenge }) => Object.assign(challenge.parameters, { cost: 1 }),
      ({ challenge }) => Object.assign(challenge.parameters, { keyPrefix: "00" }),
      ({ challenge }) =>
        Object.assign(challenge.parameters, {
          expiresAt: Number(challenge.parameters["expiresAt"]) + 60,
        }),
      ({ challenge }) =>
        Object.assign(challenge.parameters, {
          data: { event: "alpha", epoch: 1, place: "plc_2", seed: null },
        }),
      ({ challenge }) => Object.assign(challenge.parameters, { keySignature: "00" }),
      ({ solution }) => Object.assign(solution, { derivedKey: "0".repeat(64) }),
    ];
    for (const change of changes) {
      const verdict = await judgeSolution(SECRET, changed(payload, change), expected);
      expect(verdict.ok).toBe(false);
    }
  });

  it.each(["", "x", "e30=", btoa("[]"), btoa('{"challenge":{}}'), "A".repeat(10_000)])(
    "that is nonsense is malformed: %s",
    async (payload) => {
      expect(await judgeSolution(SECRET, payload, expected)).toEqual({
        ok: false,
        error: "malformed",
      });
    },
  );

  it("ends when the page gives up", async () => {
    const offer = await makeChallenge(SECRET, ABOUT, { now, difficulty: EASY });
    const signal = AbortSignal.abort();
    expect(await solveChallenge(asChallenge(offer), { signal })).toBeUndefined();
  });
});

describe("its difficulty", () => {
  it("rises with the load, within bounds, and never surprises by chance", () => {
    const easy = difficultyOf(0);
    expect(difficultyOf(1)).toEqual(easy);
    expect(difficultyOf(3).stepsMin).toBe(easy.stepsMin * 3);
    for (const load of [1e9, Number.NaN, Number.POSITIVE_INFINITY])
      expect(difficultyOf(load).stepsMax).toBe(easy.stepsMax * 8);
    expect(easy.stepsMax / easy.stepsMin).toBeLessThanOrEqual(2);
  });

  it("of the real setting is solved here too", async () => {
    const offer = await makeChallenge(SECRET, ABOUT, { now, difficulty: difficultyOf(1) });
    const payload = await solveChallenge(asChallenge(offer));
    expect((await judgeSolution(SECRET, payload ?? "", expected)).ok).toBe(true);
  });
});
