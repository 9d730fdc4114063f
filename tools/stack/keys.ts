// The key sets and secrets of one deployment: made once, kept in a file that only its owner reads.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { KeyUse } from "../../shared/token/claims.ts";
import { generateKey, type KeyEntry, keySetSchema } from "../../shared/token/keys.ts";

const pushKeySchema = z.strictObject({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

const deploymentKeysSchema = z.strictObject({
  gateKeys: keySetSchema,
  coreKeys: keySetSchema,
  /** Hex, 32 bytes: place ids and cookies. */
  roomSecret: z.string(),
  /** Hex, 32 bytes: the core's nonces, codes and the like. */
  coreSecret: z.string(),
  organizerKey: z.string(),
  /** JWK, P-256: by it push services know this deployment (VAPID). */
  pushKey: pushKeySchema,
  /** Bearer key of the payment simulator. */
  pspSecret: z.string(),
  /** Standard Webhooks: `whsec_` and base64. */
  pspWebhookSecret: z.string(),
});
export type DeploymentKeys = z.infer<typeof deploymentKeysSchema>;

const GATE_USES = ["place", "admission", "service"] as const satisfies KeyUse[];
const CORE_USES = ["organizer", "service", "pass", "ticket", "order"] as const satisfies KeyUse[];

const ORGANIZER_KEY = "sira_";
/** Production refuses an organizer key that begins like this. */
export const DEVELOPMENT_KEY = "sira_dev_";

export async function makeKeys(
  now: Date,
  organizerPrefix: string = ORGANIZER_KEY,
): Promise<DeploymentKeys> {
  const make = (uses: readonly KeyUse[]): Promise<KeyEntry[]> =>
    Promise.all(uses.map((use) => generateKey(use, "active", now)));
  return {
    gateKeys: await make(GATE_USES),
    coreKeys: await make(CORE_USES),
    roomSecret: randomBytes(32).toString("hex"),
    coreSecret: randomBytes(32).toString("hex"),
    organizerKey: `${organizerPrefix}${randomBytes(24).toString("base64url")}`,
    pushKey: makePushKey(),
    pspSecret: `psp_${randomBytes(24).toString("base64url")}`,
    pspWebhookSecret: `whsec_${randomBytes(24).toString("base64")}`,
  };
}

function makePushKey(): z.infer<typeof pushKeySchema> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return pushKeySchema.parse(privateKey.export({ format: "jwk" }));
}

/**
 * One step of a rotation, for every use: `next` becomes `active`, `active` becomes `retired`, and a
 * fresh `next` is published. A retired key goes once its last token must have ended.
 */
export async function rotateKeys(
  set: readonly KeyEntry[],
  now: Date,
  keepRetiredMs: number,
): Promise<KeyEntry[]> {
  const result: KeyEntry[] = [];
  for (const use of new Set(set.map((entry) => entry.use))) {
    const ofUse = set.filter((entry) => entry.use === use);
    const next = ofUse.find(({ state }) => state === "next");
    for (const entry of ofUse) {
      const isOld = now.getTime() - Date.parse(entry.retiredAt ?? "") > keepRetiredMs;
      if (entry.state === "retired" && !isOld) result.push(entry);
      if (entry.state === "next") result.push({ ...entry, state: "active" });
      if (entry.state !== "active") continue;
      // Without a published successor nobody could verify what it signs: the first step only adds.
      if (next === undefined) result.push(entry);
      else result.push({ ...entry, state: "retired", retiredAt: now.toISOString() });
    }
    result.push(await generateKey(use, "next", now));
  }
  return result;
}

export function readKeys(file: string): DeploymentKeys | undefined {
  if (!existsSync(file)) return undefined;
  const kept: object = JSON.parse(readFileSync(file, "utf8"));
  // Files from before there was Web Push get its key when they are next written.
  return deploymentKeysSchema.parse({ pushKey: makePushKey(), ...kept });
}

export function writeKeys(file: string, keys: DeploymentKeys): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
}

export async function ensureKeys(file: string, organizerPrefix?: string): Promise<DeploymentKeys> {
  const known = readKeys(file);
  if (known !== undefined) {
    writeKeys(file, known);
    return known;
  }
  const made = await makeKeys(new Date(), organizerPrefix);
  writeKeys(file, made);
  return made;
}
