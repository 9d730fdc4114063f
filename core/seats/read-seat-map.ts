import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { Refusal } from "../../shared/errors.ts";
import type { Clock } from "../context.ts";
import type { Db } from "../db/db.ts";
import { seatMapOf } from "./house.ts";
import { readHouse } from "./queries.ts";

/**
 * The seat map as bytes, made at most once in two seconds per event however many ask, or once in one
 * for whoever asks past all caches. The hold, not the map, is the authority.
 */
const SEAT_MAP_MS = 2_000;
const SEAT_MAP_FRESH_MS = 1_000;
const EVENTS_MAX = 200;

export type SeatMapBytes = {
  /** Of what it says, without the time it was read at: an unchanged house keeps its tag. */
  etag: string;
  plain: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  brotli: Uint8Array<ArrayBuffer>;
};

type Cached = { bytes: Promise<SeatMapBytes | undefined>; madeMs: number };

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);
/** Made once in two seconds at the most, so quickly: better qualities save little of a text this even. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } };

export function createSeatMaps(deps: { db: Db; clock: Clock }) {
  const cached = new Map<string, Cached>();

  const make = async (event: string): Promise<SeatMapBytes | undefined> => {
    const facts = await readHouse(deps.db, event);
    if (!facts) return undefined;
    const { at, ...map } = seatMapOf(facts);
    const said = JSON.stringify(map);
    const plain = Buffer.from(`${said.slice(0, -1)},"at":${JSON.stringify(at)}}`);
    const digest = createHash("sha256").update(said).digest("base64url").slice(0, 22);
    const [gzipped, brotli] = await Promise.all([
      toGzip(plain, { level: 6 }),
      toBrotli(plain, BROTLI),
    ]);
    // Weak, since the plain and the compressed bytes share it.
    return { etag: `W/"${digest}"`, plain, gzipped, brotli };
  };

  return {
    /** 404 `unknown_event` for an event that is not there; that too is remembered for two seconds. */
    async read(event: string, asked: { isFresh: boolean }): Promise<SeatMapBytes> {
      const now = deps.clock.now();
      let entry = cached.get(event);
      const ageMaxMs = asked.isFresh ? SEAT_MAP_FRESH_MS : SEAT_MAP_MS;
      if (!entry || now - entry.madeMs >= ageMaxMs) {
        const bytes = make(event);
        const fresh = { bytes, madeMs: now };
        // What failed is asked again by the next one.
        bytes.catch(() => {
          if (cached.get(event) === fresh) cached.delete(event);
        });
        cached.delete(event);
        cached.set(event, fresh);
        const oldest = cached.size > EVENTS_MAX ? cached.keys().next().value : undefined;
        if (oldest !== undefined) cached.delete(oldest);
        entry = fresh;
      }
      const bytes = await entry.bytes;
      if (!bytes) throw new Refusal("unknown_event");
      return bytes;
    },
  };
}
