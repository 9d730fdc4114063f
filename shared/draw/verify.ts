import { type BeaconChain, QUICKNET, randomnessOf } from "./beacon.ts";
import { type Check, failed, note, passed } from "./check.ts";
import { type DrawState, type Evidence, evidenceSchema, type Proof } from "./evidence.ts";
import { fromHex, toHex } from "./hex.ts";
import { commitmentTo, NO_BEACON } from "./key.ts";
import { EMPTY_PLACE, leafHash, placeHash, poolRoot, rootOfPath } from "./merkle.ts";
import { type Draw, drawOf } from "./numbers.ts";
import { steeringOf } from "./steering.ts";
import { chainChecks, roundChecks } from "./verify-beacon.ts";

/** What somebody wants to know beyond the draw as a whole. */
export type Question = {
  index?: number | undefined;
  /** The number that the fan was shown. */
  number?: number | undefined;
  /** The fan's own place id; it never has to leave the fan's machine. */
  place?: string | undefined;
  /** Instead of the one in the evidence. */
  proof?: Proof | undefined;
  /** Beacon chains whose keys the verifier knows from elsewhere; quicknet by itself. */
  chains?: readonly BeaconChain[] | undefined;
  /** Do the whole draw again: 0.4 s for 2,000,000 indexes. */
  every?: boolean | undefined;
};

export type Verification = {
  /** The draw has taken place and nothing failed. */
  ok: boolean;
  checks: Check[];
  /** The number of `index`, recomputed. */
  number?: number;
};

/** Recomputes a draw from its evidence alone. Never throws for what a document may say. */
export function verifyEvidence(document: unknown, question: Question = {}): Verification {
  const parsed = evidenceSchema.safeParse(document);
  if (!parsed.success) {
    const where = parsed.error.issues[0];
    const fault = where ? `${where.path.join(".") || "document"}: ${where.message}` : "unreadable";
    return verdict([failed("format", `This is no evidence of a draw (${fault}).`, { fault })]);
  }
  const evidence = parsed.data;
  const before = [
    passed("format", `Evidence for event ${evidence.event}, epoch ${evidence.epoch}.`, {
      event: evidence.event,
      epoch: evidence.epoch,
    }),
    ...chainChecks(evidence, question.chains ?? [QUICKNET]),
    ...abandonedChecks(evidence),
  ];
  const { seed, pool } = evidence;
  if (evidence.state !== "drawn" || !seed || !pool || !evidence.drawnAt) {
    return verdict([...before, failed("drawn", "The draw has not taken place yet.")]);
  }
  const checks = [
    ...before,
    commitmentCheck(evidence.commitment, seed),
    ...roundChecks(evidence),
    steeringCheck(evidence),
  ];
  if (pool.count === 0) {
    return verdict([
      ...checks,
      note("empty", "Nobody was in the pool; there was nothing to draw."),
    ]);
  }
  const draw = drawOf({
    seed: fromHex(seed),
    beacon: beaconBytes(evidence),
    event: evidence.event,
    epoch: evidence.epoch,
    count: pool.count,
  });
  if (question.every) checks.push(everyCheck(draw));
  const proof = question.proof ?? evidence.proof;
  const index = question.index ?? (question.number === undefined ? proof?.index : undefined);
  checks.push(...numberChecks(draw, index, question.number));
  if (proof) checks.push(...proofChecks(evidence, proof, { index, place: question.place }));
  const known = index !== undefined && index < draw.count;
  return verdict(checks, known ? draw.numberOf(index) : undefined);
}

function verdict(checks: Check[], number?: number): Verification {
  const ok = checks.every((check) => check.result !== "failed");
  return { ok, checks, ...(number === undefined ? {} : { number }) };
}

function beaconBytes({ beacon }: Evidence): Uint8Array {
  const used = beacon.kind === "drand" && !beacon.without ? beacon.signature : undefined;
  return used ? randomnessOf(used) : NO_BEACON;
}

function commitmentCheck(commitment: string, seed: string): Check {
  return toHex(commitmentTo(fromHex(seed))) === commitment
    ? passed("commitment", "The seed is the one that was committed to before anybody joined.")
    : failed("commitment", "The seed is not the one that was committed to.");
}

function steeringCheck(evidence: Evidence): Check {
  const { steerable, statement } = steeringOf(evidence);
  if (evidence.steerable !== steerable || evidence.statement !== statement) {
    const says = `The evidence misstates who could steer the draw. True is: ${statement}`;
    return failed("steering", says, { statement });
  }
  return (steerable ? note : passed)("steering", statement, { statement });
}

/** Epochs count from 1 and every reset makes the next one, so a hidden one leaves a hole. */
function abandonedChecks({ abandoned, epoch }: Evidence): Check[] {
  const checks = abandoned.map((each) => {
    const { at, by, reason, state } = each;
    return note(
      "abandoned",
      `Epoch ${each.epoch} was abandoned ${HOW_FAR[state]}, at ${at}, by ${by}: ${reason}`,
      { epoch: each.epoch, state, at, by, reason },
    );
  });
  const listed = abandoned.map((each) => each.epoch).sort((one, other) => one - other);
  checks.push(
    listed.length === epoch - 1 && listed.every((each, at) => each === at + 1)
      ? passed("epochs", `Draws of this event that were abandoned: ${listed.length}.`, {
          abandoned: listed.length,
        })
      : failed("epochs", "The evidence does not list every earlier epoch of the event.", { epoch }),
  );
  for (const each of abandoned) {
    if (each.seed && toHex(commitmentTo(fromHex(each.seed))) !== each.commitment) {
      const says = `The seed of epoch ${each.epoch} is not the one that was committed to.`;
      checks.push(failed("abandoned_seed", says, { epoch: each.epoch }));
    }
  }
  return checks;
}

const HOW_FAR = {
  committed: "before its pool closed",
  pool_closed: "with its pool closed",
  drawn: "after its draw",
} as const satisfies Record<DrawState, string>;

function everyCheck(draw: Draw): Check {
  const seen = new Uint8Array(draw.count + 1);
  for (let index = 0; index < draw.count; index++) seen[draw.numberOf(index)] = 1;
  const given = seen.reduce((sum, one) => sum + one, 0);
  const facts = { count: draw.count };
  return given === draw.count && seen[0] === 0
    ? passed("every", `All ${draw.count} numbers were drawn again; each goes to one index.`, facts)
    : failed("every", "The numbers do not come out as one for each index.", facts);
}

function numberChecks(draw: Draw, index: number | undefined, number: number | undefined): Check[] {
  const { count } = draw;
  if (index === undefined) {
    if (number === undefined) return [];
    if (number > count) {
      const says = `Number ${number} is behind the ${count} of the draw: it was given by arrival.`;
      return [note("late", says, { number, count })];
    }
    if (!Number.isInteger(number) || number < 1) {
      return [failed("number", "A number is a whole number from 1 on.")];
    }
    const owner = draw.indexOf(number);
    const says = `Number ${number} belongs to index ${owner}.`;
    return [note("owner", says, { number, index: owner })];
  }
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    const says = `Index ${index} is not in the pool, which has indexes 0 to ${count - 1}.`;
    return [failed("number", says, { index, count })];
  }
  const computed = draw.numberOf(index);
  const facts = { index, number: computed };
  if (number !== undefined && number !== computed) {
    const says = `Index ${index} has number ${computed}, not ${number}.`;
    return [failed("number", says, { ...facts, shown: number })];
  }
  return [passed("number", `Index ${index} has number ${computed}.`, facts)];
}

function proofChecks(
  evidence: Evidence,
  proof: Proof,
  mine: { index: number | undefined; place: string | undefined },
): Check[] {
  const { pool } = evidence;
  if (!pool) return [];
  const { index } = proof;
  if (mine.index !== undefined && mine.index !== index) {
    const says = `The proof is for index ${index}, not for ${mine.index}.`;
    return [failed("proof", says, { index })];
  }
  const leaf = leafHash(index, fromHex(proof.placeHash));
  const root = rootOfPath(pool.count, index, leaf, proof.path.map(fromHex));
  if (!root || toHex(poolRoot(pool.count, root)) !== pool.root) {
    const says = `The proof for index ${index} does not lead to the published root.`;
    return [failed("proof", says, { index })];
  }
  const checks = [
    proof.placeHash === toHex(EMPTY_PLACE)
      ? note("proof", `The published pool holds nobody at index ${index}.`, { index })
      : passed("proof", `The published pool holds a place at index ${index}.`, { index }),
  ];
  if (mine.place !== undefined) {
    checks.push(
      toHex(placeHash(mine.place)) === proof.placeHash
        ? passed("place", "That place is yours.")
        : failed("place", `The place at index ${index} is not yours.`, { index }),
    );
  }
  return checks;
}
