/**
 * The gate's way to machines that are not of this deployment: a drand relay, the keys of an organizer's
 * own site, Turnstile. https on its own port, no redirects, five seconds, 64 kB; an answer is for our own
 * code and never shown to whoever set the address.
 *
 * That the *connected* address is public is seen to below us, where the socket is made: on Cloudflare a
 * Worker reaches nothing else, on bare workerd `outside` is a network of its own with public addresses
 * alone (`tools/gate/workerd-config.ts`), whatever a name resolves to at that moment.
 */

const OUTSIDE_MS = 5_000;
const OUTSIDE_BYTES_MAX = 65_536;

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export class OutsideFault extends Error {}

const IP_LITERAL = /^\[|^\d+\.\d+\.\d+\.\d+$/;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;

/** Pure. @param local development and tests: this machine too, in plain http, on any port. */
export function judgeOutside(text: string, local: boolean): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return undefined;
  if (LOOPBACK.test(url.hostname)) return local ? url : undefined;
  const isPlain = url.protocol !== "https:" || url.port !== "" || IP_LITERAL.test(url.hostname);
  return isPlain ? undefined : url;
}

/** Read whole, and no more of it than anybody of ours can need. */
async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(OUTSIDE_BYTES_MAX);
  let length = 0;
  for await (const chunk of response.body ?? []) {
    if (length + chunk.length > OUTSIDE_BYTES_MAX) throw new OutsideFault("too large");
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.slice(0, length);
}

/** @throws {OutsideFault} for what is not followed, not read or not asked at all. */
export function guardedFetch(options: {
  fetch: Fetch;
  local: boolean;
  /** Origins of this deployment's own machines, which may stand behind our doors. */
  own?: readonly string[];
  deadlineMs?: number;
}): Fetch {
  const { local, own = [], deadlineMs = OUTSIDE_MS } = options;
  return async (text, init = {}) => {
    const isOwn = URL.canParse(text) && own.includes(new URL(text).origin);
    const url = isOwn ? new URL(text) : judgeOutside(text, local);
    if (url === undefined) throw new OutsideFault("not an address of the open internet");
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    const ask: Fetch = isOwn ? (...asked) => fetch(...asked) : options.fetch;
    const response = await ask(String(url), { ...init, redirect: "manual", signal });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new OutsideFault("redirected");
    }
    const body = await readBounded(response);
    const { status } = response;
    return new Response(status === 204 ? null : body, { status });
  };
}
