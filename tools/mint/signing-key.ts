// The key that signs now, out of a deployment's key set.
import { createPrivateKey } from "node:crypto";
import type { KeyEntry } from "../../shared/token/keys.ts";
import type { SigningKey } from "./corpus.ts";

/** @throws when the set has no active key of that use. */
export function signingKeyOf(
  keys: readonly KeyEntry[],
  use: "admission" | "place" | "service",
): SigningKey {
  const entry = keys.find((each) => each.use === use && each.state === "active");
  if (entry === undefined) throw new Error(`the key file has no active ${use} key`);
  return { kid: entry.kid, key: createPrivateKey({ key: entry.jwk, format: "jwk" }) };
}
