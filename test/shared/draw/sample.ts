import {
  BEACON_SCHEME,
  type BeaconChain,
  drawRound,
  roundTimeMs,
} from "../../../shared/draw/beacon.ts";
import {
  buildEvidence,
  type Evidence,
  type EvidenceRecord,
} from "../../../shared/draw/evidence.ts";
import { toHex, utf8 } from "../../../shared/draw/hex.ts";
import { commitmentTo } from "../../../shared/draw/key.ts";
import {
  appendLeaves,
  EMPTY_FRONTIER,
  EMPTY_PLACE,
  inclusionPath,
  leafHash,
  placeHash,
  poolRoot,
  rootOf,
} from "../../../shared/draw/merkle.ts";
import { sha256 } from "../../../shared/draw/sha256.ts";
import { type FakeChain, fakeChain } from "./fake-beacon.ts";

const OPENS_AT = Date.parse("2026-05-01T10:00:00.000Z");

export const CHAIN: FakeChain = fakeChain("sample", {
  genesisSeconds: OPENS_AT / 1_000 - 100_000,
  periodSeconds: 3,
});

export const placeAt = (index: number) => `plc_01_sample-${index}`;
const iso = (ms: number) => new Date(ms).toISOString();

type Kind = "none" | "drand" | "without" | "missing";

export type SampleOptions = {
  count?: number;
  kind?: Kind;
  chain?: FakeChain;
  /** Indexes that nobody holds. */
  skipped?: number[];
  epoch?: number;
  abandoned?: EvidenceRecord["abandoned"];
  /** When the pool was published, relative to the moment the round is due. */
  publishedMs?: number;
  /** Which proof the document carries. */
  proofOf?: number;
};

export function sampleRecord(options: SampleOptions = {}): EvidenceRecord {
  const { count = 10, kind = "none", skipped = [], epoch = 1, abandoned = [] } = options;
  const { chain, sign } = options.chain ?? CHAIN;
  const seed = sha256(utf8(`sample seed ${epoch}`));
  const hashAt = (index: number) =>
    skipped.includes(index) ? EMPTY_PLACE : placeHash(placeAt(index));
  const leaves = Array.from({ length: count }, (_, index) => leafHash(index, hashAt(index)));
  const rangeRoot = (from: number, to: number) =>
    rootOf(appendLeaves(EMPTY_FRONTIER, leaves.slice(from, to)));
  const due = roundTimeMs(chain, drawRound(chain, OPENS_AT));
  const { proofOf } = options;
  return {
    event: "sample-event",
    epoch,
    opensAt: iso(OPENS_AT),
    commitment: toHex(commitmentTo(seed)),
    committedAt: iso(OPENS_AT - 3_600_000),
    seed: toHex(seed),
    pool: {
      count,
      root: toHex(poolRoot(count, rangeRoot(0, count))),
      closedAt: iso(OPENS_AT + 40),
      publishedAt: iso(due + (options.publishedMs ?? -13_000)),
    },
    beacon: beaconOf(kind, chain, sign),
    drawnAt: iso(due + 800),
    abandoned,
    proof:
      proofOf === undefined
        ? undefined
        : {
            index: proofOf,
            placeHash: toHex(hashAt(proofOf)),
            path: inclusionPath(count, proofOf, rangeRoot).map(toHex),
          },
  };
}

function beaconOf(
  kind: Kind,
  chain: BeaconChain,
  sign: FakeChain["sign"],
): EvidenceRecord["beacon"] {
  if (kind === "none") return { kind: "none" };
  const round = drawRound(chain, OPENS_AT);
  const announced = {
    kind: "drand" as const,
    scheme: BEACON_SCHEME,
    chain,
    round,
    announcedAt: iso(OPENS_AT - 3_600_000),
  } as const;
  if (kind === "missing") return announced;
  if (kind === "drand") return { ...announced, signature: sign(round) };
  const without = { at: iso(OPENS_AT + 90_000), by: "owner@example.org", reason: "no beacon" };
  return { ...announced, without };
}

export const sampleEvidence = (options: SampleOptions = {}): Evidence =>
  buildEvidence(sampleRecord(options));

export const abandonedEpoch = (
  epoch: number,
  state: "committed" | "pool_closed" | "drawn",
): EvidenceRecord["abandoned"][number] => {
  const seed = sha256(utf8(`sample seed ${epoch}`));
  return {
    epoch,
    commitment: toHex(commitmentTo(seed)),
    state,
    ...(state === "drawn" ? { seed: toHex(seed) } : {}),
    at: iso(OPENS_AT - 7_200_000),
    by: "owner@example.org",
    reason: "wrong capacity",
  };
};
