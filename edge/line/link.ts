// One connection to the one server that owns an event's keys, and nothing that waits for ever: a call
// either has its answer within `commandTimeoutMs` or fails with a `LinkError` that says what is known.
//
// ioredis is used as a bare connection. It never reconnects by itself, queues nothing while offline and
// re-sends nothing: a command whose connection broke may have been carried out, and only the caller knows
// whether it may be repeated. In a Redis Cluster all keys of an event share a slot, so the link looks up the
// slot's owner and connects to it; a redirect drops the link instead of being followed, because the fence
// (run_id) belongs to a server, and a redirected script would carry another server's.

import { Redis, type RedisOptions } from "ioredis";
import { classify, LinkError, messageOf } from "./link-error.ts";
import { loadScripts, type Node, readServer, readSlots } from "./server.ts";
import type { ScriptName, ScriptTexts } from "./types.ts";

export const COMMAND_TIMEOUT_MS = 1_000;
export const CONNECT_TIMEOUT_MS = 1_000;
/** How long a call waits for a connection that is being made. */
export const CONNECT_WAIT_MS = 2_000;
export const BACKOFF_FIRST_MS = 100;
export const BACKOFF_MAX_MS = 2_000;

export interface LinkOptions {
  readonly url: string;
  /** Any key of the event: names its slot. */
  readonly key: string;
  readonly scripts: ScriptTexts;
  readonly commandTimeoutMs: number;
}

export interface Live {
  readonly redis: Redis;
  readonly server: string;
  readonly shas: ReadonlyMap<ScriptName, string>;
}

export interface Link {
  /** Connects when needed. */
  live(): Promise<Live>;
  /**
   * @param args of the script, after the server's run id, which is put in front with the call's tag.
   * @returns the script's answer, which is certainly this call's.
   */
  run(
    script: ScriptName,
    keys: readonly string[],
    args: readonly string[],
  ): Promise<readonly unknown[]>;
  unlink(keys: readonly string[]): Promise<void>;
  ping(): Promise<void>;
  close(): void;
}

/** @throws when the answer is another call's: then nothing that this connection says is believed. */
function ownAnswer(raw: unknown, tag: string): readonly unknown[] {
  if (Array.isArray(raw) && String(raw[0]) === tag) return raw.slice(1);
  throw new LinkError("confused", "an answer came that belongs to another call", true);
}

function optionsFor(seed: URL, node: Node | null, commandTimeoutMs: number) {
  return {
    host: node?.host ?? seed.hostname,
    port: node?.port ?? Number(seed.port || 6379),
    ...(seed.username === "" ? {} : { username: decodeURIComponent(seed.username) }),
    ...(seed.password === "" ? {} : { password: decodeURIComponent(seed.password) }),
    ...(seed.pathname.length > 1 && node === null ? { db: Number(seed.pathname.slice(1)) } : {}),
    ...(seed.protocol === "rediss:" ? { tls: { servername: seed.hostname } } : {}),
    protocol: 2,
    replyMapping: "legacy",
    lazyConnect: true,
    enableAutoPipelining: true,
    commandTimeout: commandTimeoutMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: () => null,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    disableClientInfo: true,
  } satisfies RedisOptions;
}

export function openLink(options: LinkOptions): Link {
  const seeds = options.url.split(",").map((text) => new URL(text.trim()));
  let nodes: Node[] = [];
  let current: Live | null = null;
  let connecting: Promise<Live> | null = null;
  let failures = 0;
  let calls = 0;
  let retryAt = 0;
  let closed = false;

  async function dial(seed: URL, node: Node | null): Promise<Live> {
    const redis = new Redis(optionsFor(seed, node, options.commandTimeoutMs));
    // A refused password is told by an event; `connect` then only says that the connection is closed.
    let told: unknown = null;
    redis.on("error", (error: unknown) => {
      told = error;
    });
    try {
      await redis.connect();
      const { server, isCluster } = await readServer(redis);
      if (isCluster) {
        const found = await readSlots(redis, options.key);
        nodes = found.nodes;
        if (found.owner) {
          if (node) throw new LinkError("unreachable", "the slot is moving");
          redis.disconnect();
          return await dial(seed, found.owner);
        }
      }
      const shas = await loadScripts(redis, options.scripts);
      return { redis, server, shas };
    } catch (error) {
      redis.disconnect();
      const cause = error instanceof LinkError ? error : (told ?? error);
      throw classify(cause)?.error ?? cause;
    }
  }

  async function connect(): Promise<Live> {
    const [first] = seeds;
    const known = first ? nodes.map((node) => ({ seed: first, node })) : [];
    const candidates = [...seeds.map((seed) => ({ seed, node: null })), ...known];
    let last: unknown = new LinkError("unreachable", "no address");
    for (const { seed, node } of candidates) {
      try {
        const live = await dial(seed, node);
        if (closed) {
          live.redis.disconnect();
          throw new LinkError("unreachable", "closed");
        }
        live.redis.once("end", () => {
          if (current === live) current = null;
        });
        current = live;
        failures = 0;
        return live;
      } catch (error) {
        last = error;
        // A wrong policy is for a person to repair: no other node may paper over it.
        if (closed || (error instanceof LinkError && error.reason === "policy")) break;
      }
    }
    const backoff = Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MAX_MS);
    failures += 1;
    retryAt = Date.now() + backoff * (0.75 + Math.random() / 2);
    lastFailure = last instanceof LinkError ? last : null;
    throw last;
  }
  let lastFailure: LinkError | null = null;

  async function live(): Promise<Live> {
    if (closed) throw new LinkError("unreachable", "closed");
    if (current) return current;
    if (!connecting) {
      if (Date.now() < retryAt)
        throw lastFailure ?? new LinkError("unreachable", "waiting to reconnect");
      connecting = connect().finally(() => {
        connecting = null;
      });
      connecting.catch(() => {});
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new LinkError("unreachable", "connecting")), CONNECT_WAIT_MS);
    });
    try {
      return await Promise.race([connecting, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nothing that comes over a link in doubt is trusted: everything pending on it fails as well. */
  function drop(live: Live): void {
    if (current === live) current = null;
    live.redis.disconnect();
  }

  async function guarded<T>(act: (live: Live) => Promise<T>): Promise<T> {
    const at = await live();
    try {
      return await act(at);
    } catch (error) {
      const known = classify(error);
      if (!known) throw error;
      if (known.drop) drop(at);
      throw known.error;
    }
  }

  return {
    live,
    run: (script, keys, args) =>
      guarded(async (at) => {
        calls += 1;
        const tag = String(calls);
        const send = async (shas: ReadonlyMap<ScriptName, string>) => {
          const sha = shas.get(script) ?? "";
          const first = `${at.server}#${tag}`;
          return ownAnswer(await at.redis.evalsha(sha, keys.length, ...keys, first, ...args), tag);
        };
        try {
          return await send(at.shas);
        } catch (error) {
          // SCRIPT FLUSH: the script has not run, so this one repeat is safe.
          if (!messageOf(error).startsWith("NOSCRIPT")) throw error;
          return await send(await loadScripts(at.redis, options.scripts));
        }
      }),
    unlink: (keys) =>
      guarded(async (at) => {
        await at.redis.unlink(...keys);
      }),
    ping: () =>
      guarded(async (at) => {
        await at.redis.ping();
      }),
    close: () => {
      closed = true;
      current?.redis.disconnect();
      current = null;
    },
  };
}
