import { createServer, type Server } from "node:http";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { type BeaconChain, chainHashOf } from "../../../shared/draw/beacon.ts";
import { toHex, utf8 } from "../../../shared/draw/hex.ts";
import { sha256 } from "../../../shared/draw/sha256.ts";

const { shortSignatures } = bls12_381;
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/** A drand chain of our own, whose key we hold: real signatures, at any time we like. */
export type FakeChain = { chain: BeaconChain; sign(round: number): string };

/** The same label gives the same chain. */
export function fakeChain(
  label: string,
  times: { genesisSeconds: number; periodSeconds: number },
): FakeChain {
  const { secretKey, publicKey } = shortSignatures.keygen(
    new Uint8Array([...sha256(utf8(label)), ...sha256(utf8(`${label}, more`))].slice(0, 48)),
  );
  const parts = {
    ...times,
    publicKey: publicKey.toHex(),
    groupHash: toHex(sha256(utf8(`group of ${label}`))),
    beaconId: "fake",
  };
  return {
    chain: { hash: chainHashOf(parts), ...parts },
    sign(round) {
      const message = new Uint8Array(8);
      new DataView(message.buffer).setBigUint64(0, BigInt(round));
      const point = shortSignatures.hash(sha256(message), utf8(DOMAIN));
      return shortSignatures.Signature.toHex(shortSignatures.sign(point, secretKey));
    },
  };
}

/** How a relay may behave: as it should, or in each way that a room has to withstand. */
type Behaviour = "right" | "missing" | "wrong_round" | "forged" | "garbage" | "black_hole";

export type FakeBeacon = FakeChain & {
  url: string;
  behave(how: Behaviour): void;
  /** The paths that were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
};

/** Answers `/{chain hash}/public/{round}` like a drand relay, and nothing else. */
export async function startFakeBeacon(fake: FakeChain): Promise<FakeBeacon> {
  let how: Behaviour = "right";
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const path = request.url?.match(/^\/([0-9a-f]{64})\/public\/([0-9]+)$/);
    const round = Number(path?.[2]);
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (path?.[1] !== fake.chain.hash || how === "missing") return json(404, { error: "EOF" });
    const answer = (of: number, signed: number) =>
      json(200, { round: of, signature: fake.sign(signed) });
    switch (how) {
      case "right":
        return answer(round, round);
      case "wrong_round":
        return answer(round + 1, round + 1);
      case "forged":
        return answer(round, round + 1);
      case "garbage":
        return response.writeHead(200).end("<html>");
      case "black_hole":
        return undefined;
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    ...fake,
    url: `http://127.0.0.1:${port}`,
    behave(next) {
      how = next;
    },
    asked,
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
