import { decodeJwt } from "jose";
import * as z from "zod/mini";
import type { Check } from "../../shared/draw/check.ts";
import { type Evidence, evidenceSchema } from "../../shared/draw/evidence.ts";
import { verifyEvidence } from "../../shared/draw/verify.ts";
import type { PlaceClaims } from "../../shared/token/claims.ts";
import { remoteKeys } from "../../shared/token/remote-keys.ts";
import { verifyToken } from "../../shared/token/verify.ts";
import type { Source } from "./source.ts";

export type Finding = { result: Check["result"]; says: string };

const MARKS = { passed: "✓", failed: "✗", note: "·" } as const;

export const tell = ({ result, says }: Finding): string => `${MARKS[result]} ${says}`;

/** Everything there is to check: the document, what the room shows, and one fan's own place. */
export async function verifyDraw(source: Source, token: string | undefined): Promise<Finding[]> {
  const first = await source.evidence();
  const whole = verifyEvidence(first, { every: true });
  const parsed = evidenceSchema.safeParse(first);
  if (!parsed.success || !whole.checks.some(({ id }) => id === "commitment")) return whole.checks;
  const findings: Finding[] = [
    ...whole.checks,
    ...compareStatus(parsed.data, await source.status()),
  ];
  if (token !== undefined) findings.push(...(await verifyPlace(source, parsed.data, token)));
  return findings;
}

/** As much of the shared document as a draw has to do with. */
const shownSchema = z.object({
  event: z.string(),
  epoch: z.number(),
  pool: z.object({
    commitment: z.optional(z.string()),
    seed: z.optional(z.string()),
    size: z.optional(z.number()),
    root: z.optional(z.string()),
    beacon: z.optional(
      z.object({ round: z.optional(z.number()), signature: z.optional(z.string()) }),
    ),
  }),
});

/** What everybody is shown must be what the evidence says. */
function compareStatus(evidence: Evidence, status: unknown): Finding[] {
  if (status === undefined) return [];
  const shown = shownSchema.safeParse(status);
  if (!shown.success) {
    return [{ result: "failed", says: "What the room shows everybody could not be read." }];
  }
  const { event, epoch, pool } = shown.data;
  const told = evidence.beacon.kind === "drand" ? evidence.beacon : undefined;
  const pairs: [what: string, shown: unknown, evidence: unknown][] = [
    ["event", event, evidence.event],
    ["epoch", epoch, evidence.epoch],
    ["commitment", pool.commitment, evidence.commitment],
    ["seed", pool.seed, evidence.seed],
    ["size of the pool", pool.size, evidence.pool?.count],
    ["root of the pool", pool.root, evidence.pool?.root],
    ["beacon round", pool.beacon?.round, told?.round],
    ["beacon value", pool.beacon?.signature, told?.signature],
  ];
  const differ = pairs.filter(([, here, there]) => here !== there);
  if (differ.length === 0) {
    return [{ result: "passed", says: "What the room shows everybody agrees with the evidence." }];
  }
  return differ.map(([what]) => ({
    result: "failed",
    says: `The ${what} that the room shows everybody is not the one in the evidence.`,
  }));
}

async function verifyPlace(source: Source, evidence: Evidence, token: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const claims = decodeJwt<PlaceClaims>(token);
  findings.push(await signatureFinding(source, evidence, token));
  if (claims.epoch !== evidence.epoch) {
    const says = `The place is of epoch ${claims.epoch}, the draw of epoch ${evidence.epoch}.`;
    return [...findings, { result: "failed", says }];
  }
  const index = claims.idx ?? ownerOf(evidence, claims.num);
  if (index === undefined) {
    const asked = verifyEvidence(evidence, { number: claims.num ?? Number.NaN });
    return [...findings, ...onlyPlace(asked.checks)];
  }
  const own = source.origin ? await source.evidence(index) : evidence;
  const { proof } = evidenceSchema.parse(own);
  const checked = verifyEvidence(own, { index, number: claims.num, place: claims.sub });
  findings.push(...onlyPlace(checked.checks));
  if (proof?.index !== index) {
    const says = `No proof that index ${index} was in the pool comes with this evidence.`;
    findings.push({ result: source.origin ? "failed" : "note", says });
  }
  return findings;
}

/** A token that was renewed after the draw says the number only; the draw runs backwards as well. */
function ownerOf(evidence: Evidence, number: number | undefined): number | undefined {
  if (number === undefined) return undefined;
  const owner = verifyEvidence(evidence, { number }).checks.find(({ id }) => id === "owner");
  return typeof owner?.facts["index"] === "number" ? owner.facts["index"] : undefined;
}

/** The checks of the draw as a whole have been told already. */
const onlyPlace = (checks: readonly Check[]): Check[] =>
  checks.filter(({ id }) => ["number", "owner", "late", "proof", "place"].includes(id));

async function signatureFinding(
  { origin }: Source,
  { event }: Evidence,
  token: string,
): Promise<Finding> {
  if (!origin)
    return { result: "note", says: "The place's signature was not checked: no gate to ask." };
  const verified = await verifyToken(token, remoteKeys(new URL("/.well-known/jwks.json", origin)), {
    use: "place",
    issuer: origin,
    audience: `room/${event}`,
    now: Date.now(),
    ignoreExpiry: true,
  });
  return verified.ok
    ? { result: "passed", says: "The place bears the room's signature." }
    : {
        result: "failed",
        says: `The place does not bear the room's signature (${verified.error.reason}).`,
      };
}
