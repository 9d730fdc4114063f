import {
  type BeaconChain,
  chainHashOf,
  drawRound,
  isBeaconSignature,
  roundTimeMs,
} from "./beacon.ts";
import { type Check, failed, note, passed } from "./check.ts";
import type { Evidence } from "./evidence.ts";

/** Is the chain what its hash says, and one we know from elsewhere than this document? */
export function chainChecks({ beacon }: Evidence, known: readonly BeaconChain[]): Check[] {
  if (beacon.kind === "none") return [];
  const { chain } = beacon;
  if (chainHashOf(chain) !== chain.hash) {
    return [failed("chain", "The beacon's key and times do not belong to its chain hash.")];
  }
  const facts = { chain: chain.hash, beaconId: chain.beaconId };
  return [
    passed("chain", "The beacon's key and times belong to its chain hash.", facts),
    known.some((each) => each.hash === chain.hash)
      ? passed("known_chain", `The beacon is drand's ${chain.beaconId}.`, facts)
      : note(
          "known_chain",
          `This verifier does not know the beacon ${chain.beaconId} (${chain.hash}): who has its key could choose its value.`,
          facts,
        ),
  ];
}

/** Was the round the one that the opening time fixes, was it signed, and was the pool known before? */
export function roundChecks(evidence: Evidence): Check[] {
  const { beacon, pool } = evidence;
  if (beacon.kind === "none") return [];
  const { chain, round, signature, without } = beacon;
  const due = roundTimeMs(chain, round);
  const facts = { round, due: new Date(due).toISOString() };
  const expected = drawRound(chain, Date.parse(evidence.opensAt));
  const checks = [
    round === expected
      ? passed("round", `Round ${round} is the one that the opening time fixes.`, facts)
      : failed("round", `The opening time fixes round ${expected}, not ${round}.`, facts),
  ];
  if (without) {
    if (signature) {
      checks.push(
        failed("beacon", "The draw says both that it used the beacon and that it did not."),
      );
    } else {
      const { at, by, reason } = without;
      const says = `The draw went on without the beacon at ${at}, by ${by}: ${reason}`;
      checks.push(note("beacon", says, { at, by, reason }));
    }
    return checks;
  }
  if (!signature) {
    return [...checks, failed("signature", "The value of the beacon is missing.", facts)];
  }
  checks.push(
    isBeaconSignature(chain, round, signature)
      ? passed("signature", `The value of round ${round} bears the beacon's signature.`, facts)
      : failed("signature", `The value of round ${round} is not the beacon's.`, facts),
  );
  if (pool && Date.parse(pool.publishedAt) < due) {
    const says = `The room says it published the pool at ${pool.publishedAt}, before the round was due at ${facts.due}.`;
    checks.push(passed("published", says, { publishedAt: pool.publishedAt, ...facts }));
  } else {
    const says = `The room published the pool only after the round was due at ${facts.due}.`;
    checks.push(note("published", says, facts));
  }
  return checks;
}
