// `npm run -s proof`: DPoP proofs for calls made by hand, so that a bound room can be tried with
// curl. The key lives in a file, as a page keeps its own in the browser.
import { createPrivateKey } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { makeProof, makeSessionKey, type SessionKey } from "./crowd/session-key.ts";

const USAGE = `npm run -s proof -- key                    prints the public key, for the join's body
npm run -s proof -- METHOD URL TOKEN       prints a proof, for the header DPoP

--key FILE     where the private key is kept (.sira/proof-key.json)
--nonce TEXT   the DPoP-Nonce of the last answer, for a clock that is wrong`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: "string", default: ".sira/proof-key.json" },
    nonce: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const [first, url, token] = positionals;

if (values.help || first === undefined) {
  console.log(USAGE);
} else if (first === "key") {
  console.log(JSON.stringify(openKey(values.key).publicJwk));
} else if (url === undefined || token === undefined) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  console.log(makeProof(openKey(values.key), { method: first, url, token }, values.nonce));
}

function openKey(file: string): SessionKey {
  if (!existsSync(file)) {
    const { privateKey } = makeSessionKey();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(privateKey.export({ format: "jwk" })), { mode: 0o600 });
  }
  const jwk: { x: string; y: string; d: string } = JSON.parse(readFileSync(file, "utf8"));
  return {
    publicJwk: { kty: "EC", crv: "P-256", x: jwk.x, y: jwk.y },
    privateKey: createPrivateKey({ key: { kty: "EC", crv: "P-256", ...jwk }, format: "jwk" }),
  };
}
