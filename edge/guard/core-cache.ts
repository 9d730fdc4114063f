import { Refusal } from "../../shared/errors.ts";
import type { Env, GateConfig } from "../env.ts";
import { Fresh } from "../http/fresh.ts";
import type { KeepAlive } from "./rooms.ts";

/** Public answers of the core: in the isolate's memory and in the edge's cache, 2 s each. */
export type CoreCopy = { status: number; text: string; type: string; etag?: string };

const AGE_MS = 2_000;
const TIMEOUT_MS = 5_000;
const PATHS_MAX = 500;
/** A copy no older than this is better than nothing while the core is away. */
const STALE_STATUS_MIN = 500;

const copies = new WeakMap<Env, Map<string, Fresh<CoreCopy>>>();

export async function readCore(
  env: Env,
  config: GateConfig,
  more: { path: string; now: number; requestId: string; keepAlive: KeepAlive },
): Promise<CoreCopy> {
  const byPath = copies.get(env) ?? new Map<string, Fresh<CoreCopy>>();
  copies.set(env, byPath);
  let copy = byPath.get(more.path);
  if (!copy) {
    copy = new Fresh(AGE_MS);
    byPath.set(more.path, copy);
    const [oldest] = byPath.keys();
    if (byPath.size > PATHS_MAX && oldest !== undefined) byPath.delete(oldest);
  }
  try {
    return await copy.get(more.now, {
      keepAlive: more.keepAlive,
      load: () => load(config, more),
    });
  } catch (error) {
    if (copy.last?.status === 200) return copy.last;
    throw error;
  }
}

async function load(
  config: GateConfig,
  more: { path: string; requestId: string; keepAlive: KeepAlive },
): Promise<CoreCopy> {
  const key = config.edgeOrigin + more.path;
  const cached = await fromCache(key);
  if (cached) return cached;
  let answer: Response;
  try {
    answer = await fetch(config.coreOrigin + more.path, {
      headers: { "x-request-id": more.requestId, accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw away(String(error));
  }
  if (answer.status >= STALE_STATUS_MIN) throw away(`core: ${answer.status}`);
  const copy = await copyOf(answer);
  if (copy.status === 200) more.keepAlive(toCache(key, copy));
  return copy;
}

const away = (reason: string) =>
  new Refusal("unavailable", { reason, headers: { "retry-after": "2" } });

async function copyOf(answer: Response): Promise<CoreCopy> {
  const etag = answer.headers.get("etag");
  return {
    status: answer.status,
    text: await answer.text(),
    type: answer.headers.get("content-type") ?? "application/json",
    ...(etag === null ? {} : { etag }),
  };
}

async function fromCache(key: string): Promise<CoreCopy | undefined> {
  try {
    const hit = await caches.default.match(key);
    return hit?.ok ? await copyOf(hit) : undefined;
  } catch {
    // Bare workerd has no cache; the isolate's memory is all there is.
    return undefined;
  }
}

async function toCache(key: string, copy: CoreCopy): Promise<void> {
  try {
    const headers = new Headers({
      "content-type": copy.type,
      "cache-control": "public, max-age=2",
    });
    if (copy.etag !== undefined) headers.set("etag", copy.etag);
    await caches.default.put(key, new Response(copy.text, { headers }));
  } catch {
    // The same: nothing is lost but a look at the core.
  }
}
