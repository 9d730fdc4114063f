// `npm run -s mint`: test admissions and whole sets of hostile requests, so that a booking API can be
// tried without waiting in a line. It signs with the key file of `npm run dev`, or with keys of its
// own for the frozen vectors; a production gate's keys have no business in such a file.
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeCorpus, publicKeys, type SigningKey } from "./mint/corpus.ts";
import { forgeJws } from "./mint/forge.ts";
import { signingKeyOf } from "./mint/signing-key.ts";
import { type DeploymentKeys, readKeys } from "./stack/keys.ts";

const VECTORS = new URL("../shared/admission/vectors.json", import.meta.url);
const VECTORS_AT = Date.parse("2026-11-01T12:00:00Z");
const PLACE = "plc_00_minted";

const USAGE = `npm run -s mint -- [--event sandbox] [--minutes 10] [--jkt THUMBPRINT] [--account ID]
    prints one admission token; with --jkt it is bound to that key (RFC 7638)
npm run -s mint -- --corpus --origin http://127.0.0.1:3000 --method POST --path /book
    prints requests for your API, each with what it must do: "admit" or "refuse"
npm run -s mint -- --vectors
    writes shared/admission/vectors.json anew

--keys FILE    the gate's keys (.sira/dev-keys.json, that of npm run dev)
--gate ORIGIN  the gate (http://127.0.0.1:8787)`;

const { values } = parseArgs({
  options: {
    event: { type: "string", default: "sandbox" },
    minutes: { type: "string", default: "10" },
    jkt: { type: "string" },
    account: { type: "string" },
    corpus: { type: "boolean", default: false },
    vectors: { type: "boolean", default: false },
    origin: { type: "string", default: "http://127.0.0.1:8788" },
    method: { type: "string", default: "POST" },
    path: { type: "string", default: "/book" },
    keys: { type: "string", default: ".sira/dev-keys.json" },
    gate: { type: "string", default: "http://127.0.0.1:8787" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(USAGE);
else if (values.vectors) writeVectors();
else if (values.corpus) console.log(JSON.stringify(corpusFor(findKeys()), null, 2));
else console.log(mint(findKeys()));

function mint(keys: DeploymentKeys): string {
  const { kid, key } = signingKeyOf(keys.gateKeys, "admission");
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 1_440)) fail(`--minutes must be from 1 to 1440`);
  const iat = Math.floor(Date.now() / 1_000);
  return forgeJws(
    { alg: "ES256", typ: "admission+jwt", kid },
    {
      iss: values.gate,
      aud: `core/${values.event}`,
      sub: PLACE,
      epoch: 1,
      gen: 0,
      jti: `adm_minted-${iat}`,
      iat,
      nbf: iat,
      exp: iat + Math.round(minutes * 60),
      ...(values.account === undefined ? {} : { acct: values.account }),
      ...(values.jkt === undefined ? {} : { cnf: { jkt: values.jkt } }),
    },
    key,
  );
}

function corpusFor(keys: DeploymentKeys): object {
  const { gate, origin, event, method, path } = values;
  return makeCorpus({
    ...{ gate, origin, event, method, path },
    now: Date.now(),
    admissionKey: signingKeyOf(keys.gateKeys, "admission"),
    placeKey: signingKeyOf(keys.gateKeys, "place"),
  });
}

/** The private keys are thrown away: what is frozen can be verified and never added to. */
function writeVectors(): void {
  const fresh = (kid: string): SigningKey => ({
    kid,
    key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
  });
  const place = {
    gate: "https://queue.example",
    origin: "https://shop.example",
    event: "final",
    now: VECTORS_AT,
  };
  const keys = { admissionKey: fresh("admission-1"), placeKey: fresh("place-1") };
  const requests = makeCorpus({ ...place, ...keys, method: "POST", path: "/book" });
  const { now, ...rest } = place;
  const vectors = { ...rest, now: new Date(now).toISOString(), jwks: publicKeys(keys), requests };
  writeFileSync(VECTORS, `${JSON.stringify(vectors, null, 2)}\n`);
}

function findKeys(): DeploymentKeys {
  const keys = readKeys(values.keys);
  if (keys === undefined)
    return fail(`${values.keys} is missing: start npm run dev once, or name --keys FILE`);
  return keys;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
