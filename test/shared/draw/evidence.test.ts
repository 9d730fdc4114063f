import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { QUICKNET } from "../../../shared/draw/beacon.ts";
import { buildEvidence, type Evidence, evidenceSchema } from "../../../shared/draw/evidence.ts";
import { STATEMENTS } from "../../../shared/draw/steering.ts";
import { type Question, verifyEvidence } from "../../../shared/draw/verify.ts";
import { abandonedEpoch, CHAIN, placeAt, sampleEvidence, sampleRecord } from "./sample.ts";

const failedOf = (document: unknown, question?: Question) =>
  verifyEvidence(document, question).checks.flatMap(({ id, result }) =>
    result === "failed" ? [id] : [],
  );
const knownChain: Question = { chains: [CHAIN.chain] };

describe("the evidence", () => {
  test("keeps the seed until the draw has been made", () => {
    const { drawnAt, pool, ...committed } = sampleRecord({ kind: "missing" });
    const before = buildEvidence(committed);
    const closed = buildEvidence({ ...committed, pool });
    const drawn = buildEvidence({ ...committed, pool, drawnAt });
    expect([before.state, closed.state, drawn.state]).toEqual([
      "committed",
      "pool_closed",
      "drawn",
    ]);
    expect([before.seed, closed.seed]).toEqual([undefined, undefined]);
    expect(JSON.stringify(closed)).not.toContain(committed.seed);
    expect(drawn.seed).toBe(committed.seed);
    for (const document of [before, closed, drawn]) {
      expect(evidenceSchema.safeParse(document).success).toBe(true);
    }
  });

  test("never holds a place id", () => {
    expect(JSON.stringify(sampleEvidence({ proofOf: 3 }))).not.toContain("plc_");
  });

  test("survives the way through JSON", () => {
    const document = sampleEvidence({
      kind: "drand",
      proofOf: 3,
      epoch: 2,
      abandoned: [abandonedEpoch(1, "committed")],
    });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe("whether somebody could steer", () => {
  test("the sentences in the specification are the ones in the code", () => {
    const readme = readFileSync(new URL("../../../shared/draw/README.md", import.meta.url), "utf8");
    for (const statement of Object.values(STATEMENTS)) expect(readme).toContain(`| ${statement}`);
    for (const value of Object.values(QUICKNET)) expect(readme).toContain(String(value));
  });

  test.each([
    ["without any beacon", {}, "none"],
    ["with the beacon left out", { kind: "without" }, "without"],
    [
      "with the pool published when the round was public",
      { kind: "drand", publishedMs: 0 },
      "late",
    ],
    [
      "with an earlier draw thrown away",
      { kind: "drand", epoch: 2, abandoned: [abandonedEpoch(1, "drawn")] },
      "redrawn",
    ],
    [
      "with an earlier pool closed",
      { kind: "drand", epoch: 2, abandoned: [abandonedEpoch(1, "pool_closed")] },
      "redrawn",
    ],
    [
      "with an earlier epoch given up before its pool closed",
      { kind: "drand", epoch: 2, abandoned: [abandonedEpoch(1, "committed")] },
      "beacon",
    ],
    ["with the beacon", { kind: "drand" }, "beacon"],
  ] as const)("%s is said in so many words", (_, options, reason) => {
    const document = sampleEvidence({
      ...options,
      abandoned: "abandoned" in options ? [...options.abandoned] : [],
    });
    expect(document.statement).toBe(STATEMENTS[reason]);
    expect(document.steerable).toBe(reason !== "beacon");
    expect(document.statement).toMatch(
      reason === "beacon" ? /^Not steerable/ : /^Steerable by the organizer/,
    );
    expect(verifyEvidence(document, knownChain).ok).toBe(true);
  });

  test("a round announced when it was public is said too", () => {
    const record = sampleRecord({ kind: "drand" });
    const { beacon } = record;
    if (beacon.kind !== "drand") throw new Error("the sample has a beacon");
    const document = buildEvidence({
      ...record,
      beacon: { ...beacon, announcedAt: record.drawnAt ?? "" },
    });
    expect(document.statement).toBe(STATEMENTS.announcedLate);
  });

  test("a document that says otherwise fails", () => {
    const document = sampleEvidence();
    expect(failedOf({ ...document, steerable: false })).toEqual(["steering"]);
    expect(failedOf({ ...document, statement: STATEMENTS.beacon })).toEqual(["steering"]);
    expect(failedOf({ ...document, statement: undefined })).toEqual(["steering"]);
  });
});

describe("a verifier", () => {
  test("does the whole draw again and finds one fan's number and place", () => {
    const document = sampleEvidence({ kind: "drand", count: 1_000, proofOf: 321, skipped: [5] });
    const verified = verifyEvidence(document, {
      index: 321,
      place: placeAt(321),
      every: true,
      ...knownChain,
    });
    expect(verified.ok).toBe(true);
    expect(verified.checks.map(({ id, result }) => `${id} ${result}`)).toEqual([
      "format passed",
      "chain passed",
      "known_chain passed",
      "epochs passed",
      "commitment passed",
      "round passed",
      "signature passed",
      "published passed",
      "steering passed",
      "every passed",
      "number passed",
      "proof passed",
      "place passed",
    ]);
    expect(verified.number).toBeGreaterThanOrEqual(1);
    expect(failedOf(document, { number: verified.number, index: 321, ...knownChain })).toEqual([]);
    expect(failedOf(document, { number: 1 + (verified.number ?? 0), index: 321 })).toEqual([
      "number",
    ]);
    expect(failedOf(document, { index: 1_000 })).toEqual(["number", "proof"]);
    expect(failedOf(document, { index: 4 })).toEqual(["proof"]);
    expect(failedOf(document, { place: placeAt(4) })).toEqual(["place"]);
  });

  test("tells whose a number is, and that one behind N came by arrival", () => {
    const document = sampleEvidence({ count: 20 });
    const owner = verifyEvidence(document, { number: 7 }).checks.find(({ id }) => id === "owner");
    expect(verifyEvidence(document, { index: Number(owner?.facts["index"]) }).number).toBe(7);
    expect(verifyEvidence(document, { number: 21 }).checks.at(-1)).toMatchObject({
      id: "late",
      result: "note",
    });
    expect(failedOf(document, { number: 0 })).toEqual(["number"]);
    expect(failedOf(document, { number: Number.NaN })).toEqual(["number"]);
  });

  test("says so of an index that nobody held, of an empty pool, and of a beacon it does not know", () => {
    const empty = verifyEvidence(sampleEvidence({ skipped: [3], proofOf: 3 }));
    expect(empty.checks.at(-1)).toMatchObject({ id: "proof", result: "note" });
    const nobody = verifyEvidence(sampleEvidence({ count: 0 }), { every: true });
    expect(nobody.ok).toBe(true);
    expect(nobody.checks.at(-1)).toMatchObject({ id: "empty", result: "note" });
    const unknown = verifyEvidence(sampleEvidence({ kind: "drand" }));
    expect(unknown.checks.find(({ id }) => id === "known_chain")?.result).toBe("note");
  });

  test("lists every abandoned epoch, and misses one that is hidden", () => {
    const abandoned = [abandonedEpoch(1, "committed"), abandonedEpoch(2, "drawn")];
    const document = sampleEvidence({ epoch: 3, abandoned });
    const notes = verifyEvidence(document).checks.filter(({ id }) => id === "abandoned");
    expect(notes.map(({ says }) => says)).toEqual([
      expect.stringContaining("Epoch 1 was abandoned before its pool closed"),
      expect.stringContaining("Epoch 2 was abandoned after its draw"),
    ]);
    expect(failedOf({ ...document, abandoned: abandoned.slice(1) })).toEqual(["epochs"]);
    expect(
      failedOf({ ...document, abandoned: [...abandoned, abandonedEpoch(3, "committed")] }),
    ).toEqual(["epochs"]);
    const forged = [
      abandonedEpoch(1, "committed"),
      { ...abandonedEpoch(2, "drawn"), seed: "00".repeat(32) },
    ];
    expect(failedOf({ ...document, abandoned: forged })).toEqual(["abandoned_seed"]);
  });

  test("says that a draw has not taken place yet", () => {
    const { drawnAt: _, ...record } = sampleRecord({ kind: "missing" });
    const verified = verifyEvidence(buildEvidence(record), knownChain);
    expect(verified.ok).toBe(false);
    expect(verified.checks.at(-1)).toMatchObject({ id: "drawn", result: "failed" });
  });

  test.each([
    ["null", null],
    ["a text", "evidence"],
    ["an empty object", {}],
    ["another format", { ...sampleEvidence(), format: "sira-draw-2" }],
    ["an unknown member", { ...sampleEvidence(), place: "plc_1" }],
    ["upper-case hex", { ...sampleEvidence(), seed: "A".repeat(64) }],
    ["an epoch of nought", { ...sampleEvidence(), epoch: 0 }],
    ["a fractional count", { ...sampleEvidence(), pool: { ...sampleEvidence().pool, count: 1.5 } }],
  ])("refuses %s without throwing", (_, document) => {
    expect(failedOf(document)).toEqual(["format"]);
  });

  describe("notices every single change", () => {
    const document = sampleEvidence({ kind: "drand", count: 50, proofOf: 17 });
    const question: Question = {
      index: 17,
      number: verifyEvidence(document).number,
      place: placeAt(17),
      ...knownChain,
    };
    const flip = (text: string) => `${text[0] === "0" ? "1" : "0"}${text.slice(1)}`;
    const { beacon, pool, proof } = document;
    if (beacon.kind !== "drand" || !pool || !proof || !beacon.signature || !document.seed) {
      throw new Error("the sample is complete");
    }
    const change = (more: Partial<Evidence>): Evidence => ({ ...document, ...more });
    const withBeacon = (more: Partial<typeof beacon>) => change({ beacon: { ...beacon, ...more } });
    const withChain = (more: Partial<typeof beacon.chain>) =>
      withBeacon({ chain: { ...beacon.chain, ...more } });
    const withPool = (more: Partial<typeof pool>) => change({ pool: { ...pool, ...more } });
    const withProof = (more: Partial<typeof proof>) => change({ proof: { ...proof, ...more } });

    test.each<[string, Evidence, string[]]>([
      ["seed", change({ seed: flip(document.seed) }), ["commitment", "number"]],
      ["commitment", change({ commitment: flip(document.commitment) }), ["commitment"]],
      ["event", change({ event: "another" }), ["number"]],
      ["epoch", change({ epoch: 2 }), ["epochs", "number"]],
      ["count", withPool({ count: 51 }), ["number", "proof"]],
      ["root", withPool({ root: flip(pool.root) }), ["proof"]],
      ["opening", change({ opensAt: "2026-05-01T10:00:04.000Z" }), ["round"]],
      ["round", withBeacon({ round: beacon.round + 1 }), ["round", "signature"]],
      [
        "signature",
        withBeacon({ signature: CHAIN.sign(beacon.round + 1) }),
        ["signature", "number"],
      ],
      ["missing signature", withBeacon({ signature: undefined }), ["signature", "number"]],
      [
        "public key",
        withChain({ publicKey: flip(beacon.chain.publicKey) }),
        ["chain", "signature"],
      ],
      ["chain hash", withChain({ hash: flip(beacon.chain.hash) }), ["chain"]],
      [
        "genesis",
        withChain({ genesisSeconds: beacon.chain.genesisSeconds - 3 }),
        ["chain", "round"],
      ],
      ["beacon id", withChain({ beaconId: "other" }), ["chain"]],
      [
        "an act beside the signature",
        withBeacon({ without: { at: pool.closedAt, by: "x", reason: "y" } }),
        ["beacon", "steering", "number"],
      ],
      ["place hash", withProof({ placeHash: flip(proof.placeHash) }), ["proof"]],
      [
        "path",
        withProof({ path: proof.path.map((each, at) => (at === 1 ? flip(each) : each)) }),
        ["proof"],
      ],
      ["shorter path", withProof({ path: proof.path.slice(1) }), ["proof"]],
      ["index of the proof", withProof({ index: 18 }), ["proof"]],
    ])("%s", (_, changed, expected) => {
      expect(failedOf(document, question)).toEqual([]);
      expect(failedOf(changed, question)).toEqual(expected);
    });
  });
});
