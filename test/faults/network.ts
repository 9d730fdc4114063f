// A bad network between us and a server: everything that TCP can do to a call, and a count of what
// was really done. One proxy stands before PostgreSQL and one before each Redis.
import { createServer, connect as dial, type Socket } from "node:net";

export const NETWORK_FAULTS = [
  /** Connections reset when a request comes in, before the server has seen it. */
  "reset-before",
  /** The request is carried out, and its answer is lost with the connection. */
  "reset-after",
  /**
   * Bytes vanish in both directions; connections stay open, and those that lost some never say another
   * word: TCP delivers every byte in its order, or nothing from there on.
   */
  "black-hole",
  /** The server's side is gone and nobody tells the client. */
  "half-open",
  /** Every answer comes late. */
  "slow",
  /** Every answer comes byte by byte. */
  "slices",
] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

const SLOW_MS = 250;
/** Longer answers go on in one piece after so many single bytes. */
const SLICED_BYTES_MAX = 64;
/** Of requests, the share whose connection is reset. */
const RESET_SHARE = 0.25;

type Pair = {
  client: Socket;
  upstream: Socket;
  asked: boolean;
  /** Has lost bytes. */
  mute: boolean;
  queue: Promise<void>;
};

export type Network = {
  readonly port: number;
  /** Begins a fault; what it has hit since is in `hits`. */
  set(fault: NetworkFault | "pass"): void;
  hits(): number;
  open(): number;
  close(): Promise<void>;
};

export async function startNetwork(
  target: { readonly host: string; readonly port: number },
  random: () => number,
): Promise<Network> {
  const pairs = new Set<Pair>();
  /** Also of those whose other end is gone without a word. */
  const clients = new Set<Socket>();
  let fault: NetworkFault | "pass" = "pass";
  let hits = 0;

  const reset = (pair: Pair): void => {
    hits += 1;
    pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.upstream.destroy();
  };
  const onRequest = (pair: Pair, bytes: Buffer): void => {
    if (pair.mute) return;
    if (fault === "reset-before" && random() < RESET_SHARE) {
      reset(pair);
      return;
    }
    if (fault === "black-hole") {
      hits += 1;
      pair.mute = true;
      return;
    }
    if (fault === "half-open") {
      hits += 1;
      pairs.delete(pair);
      pair.upstream.destroy();
      return;
    }
    pair.asked = true;
    pair.upstream.write(bytes);
  };
  const onAnswer = (pair: Pair, bytes: Buffer): void => {
    if (pair.mute) return;
    if (fault === "reset-after" && pair.asked && random() < RESET_SHARE) {
      reset(pair);
      return;
    }
    if (fault === "black-hole") {
      hits += 1;
      pair.mute = true;
      return;
    }
    pair.asked = false;
    const { client } = pair;
    // Later answers wait for earlier ones, also when the fault is over.
    if (fault === "slow") {
      hits += 1;
      pair.queue = pair.queue.then(() => pause(SLOW_MS)).then(() => void client.write(bytes));
    } else if (fault === "slices") {
      hits += 1;
      pair.queue = pair.queue.then(() => slice(client, bytes));
    } else {
      pair.queue = pair.queue.then(() => void client.write(bytes));
    }
  };

  const server = createServer((client) => {
    const upstream = dial(target);
    client.setNoDelay(true);
    upstream.setNoDelay(true);
    const pair: Pair = { client, upstream, asked: false, mute: false, queue: Promise.resolve() };
    pairs.add(pair);
    clients.add(client);
    client.on("error", () => undefined);
    upstream.on("error", () => undefined);
    client.on("data", (bytes) => onRequest(pair, bytes));
    upstream.on("data", (bytes) => onAnswer(pair, bytes));
    client.on("close", () => {
      clients.delete(client);
      pairs.delete(pair);
      upstream.destroy();
    });
    upstream.on("close", () => {
      // A half-open connection is one whose client never hears of it.
      if (pairs.delete(pair)) client.destroy();
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the network has a port");
  return {
    port: address.port,
    set(next) {
      fault = next;
      hits = 0;
    },
    hits: () => hits,
    open: () => pairs.size,
    async close() {
      for (const { upstream } of pairs) upstream.destroy();
      for (const client of clients) client.destroy();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function slice(client: Socket, bytes: Buffer): Promise<void> {
  const end = Math.min(bytes.length, SLICED_BYTES_MAX);
  for (let at = 0; at < end && !client.destroyed; at += 1) {
    client.write(bytes.subarray(at, at + 1));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (end < bytes.length && !client.destroyed) client.write(bytes.subarray(end));
}
