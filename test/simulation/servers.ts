// Two real Redis servers, one of them the master. A failover makes the other one master with what had
// been copied to it; what came after the copy is lost. Nothing here knows what the keys mean.
import { Redis } from "ioredis";
import { KEY_NAMES, lineKey } from "../../edge/line/keys.ts";

export type Server = {
  readonly url: string;
  readonly client: Redis;
  /** Its clock is off by so much. */
  skewMs: number;
  reachable: boolean;
};

export class Servers {
  readonly all: readonly [Server, Server];
  master: Server;
  #copy: { key: string; dump: Buffer }[] = [];

  constructor(urls: readonly [string, string]) {
    const open = (url: string): Server => ({
      url,
      client: new Redis(url),
      skewMs: 0,
      reachable: true,
    });
    this.all = [open(urls[0]), open(urls[1])];
    this.master = this.all[0];
  }

  get spare(): Server {
    return this.master === this.all[0] ? this.all[1] : this.all[0];
  }

  async begin(): Promise<void> {
    this.#copy = [];
    this.master = this.all[0];
    for (const server of this.all) {
      server.reachable = true;
      await server.client.flushdb();
    }
  }

  keys(event: string): string[] {
    return KEY_NAMES.map((name) => lineKey({ prefix: "", event }, 1, name));
  }

  /** What the spare has got so far. */
  async copy(event: string): Promise<void> {
    const dumps = await Promise.all(
      this.keys(event).map(async (key) => ({
        key,
        dump: await this.master.client.dumpBuffer(key),
      })),
    );
    this.#copy = dumps.flatMap(({ key, dump }) => (dump === null ? [] : [{ key, dump }]));
  }

  async failOver(): Promise<void> {
    const next = this.spare;
    await next.client.flushdb();
    await Promise.all(this.#copy.map(({ key, dump }) => next.client.restore(key, 0, dump)));
    this.master = next;
  }

  /** The same server starts again with an old file: it has another run id. */
  async rollBack(event: string): Promise<void> {
    const { client } = this.master;
    await client.flushdb();
    await Promise.all(this.#copy.map(({ key, dump }) => client.restore(key, 0, dump)));
    const meta = lineKey({ prefix: "", event }, 1, "META");
    if ((await client.exists(meta)) === 1) await client.hset(meta, "server", "an earlier start");
  }

  async wipe(): Promise<void> {
    await this.master.client.flushdb();
  }

  close(): void {
    for (const { client } of this.all) client.disconnect();
  }
}
