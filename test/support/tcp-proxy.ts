// A TCP proxy with faults: what a bad network does between us and PostgreSQL, Redis or a provider.
import { createServer, connect as dial, type Server, type Socket } from "node:net";

/**
 * - `pass`: everything goes through.
 * - `hole`: bytes are swallowed, connections stay open: the worst that a network does.
 * - `refuse`: connections are closed at once, before a byte.
 */
export type ProxyMode = "pass" | "hole" | "refuse";

export type TcpProxy = {
  readonly port: number;
  /** Connections accepted so far. */
  accepted(): number;
  set(mode: ProxyMode): void;
  /** From now on every byte is so much later, each way; the order stays. */
  delay(ms: number): void;
  /**
   * The next answer with this text in it is lost with its connection: the work is done, and whoever
   * asked for it cannot know. Resolves when that has happened.
   */
  loseAnswer(text: string): Promise<void>;
  /** Resets every open connection. */
  cut(): void;
  close(): Promise<void>;
};

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let mode: ProxyMode = "pass";
  let accepted = 0;
  let delayMs = 0;
  let marker: string | undefined;
  let lost: (() => void) | undefined;
  const server: Server = createServer((client) => {
    accepted += 1;
    client.on("error", () => undefined);
    if (mode === "refuse") return void client.destroy();
    const upstream = dial(target);
    upstream.on("error", () => client.destroy());
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const relay = (from: Socket, to: Socket) => {
      // Never before the bytes that came earlier, also when the delay has just been taken away.
      let lastDueAt = 0;
      from.on("data", (bytes) => {
        if (from === upstream && marker !== undefined && bytes.includes(marker)) {
          marker = undefined;
          lost?.();
          client.resetAndDestroy();
          upstream.destroy();
          return;
        }
        if (mode !== "pass") return;
        const now = performance.now();
        lastDueAt = Math.max(lastDueAt, now + delayMs);
        if (lastDueAt <= now) to.write(bytes);
        else setTimeout(() => to.write(bytes), lastDueAt - now);
      });
      from.on("close", () => {
        pairs.delete(pair);
        if (mode !== "hole") to.destroy();
      });
    };
    relay(client, upstream);
    relay(upstream, client);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has a port");
  const cut = () => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
    pairs.clear();
  };
  return {
    port: address.port,
    accepted: () => accepted,
    set(next) {
      mode = next;
    },
    delay(ms) {
      delayMs = ms;
    },
    loseAnswer(text) {
      const happened = Promise.withResolvers<void>();
      marker = text;
      lost = happened.resolve;
      return happened.promise;
    },
    cut,
    async close() {
      cut();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}

/** The same address through the proxy. */
export function throughProxy(url: string, proxy: Pick<TcpProxy, "port">): string {
  const address = new URL(url);
  address.hostname = "127.0.0.1";
  address.port = String(proxy.port);
  return address.href;
}
