import { lookup as lookupName } from "node:dns";
import { request as requestPlain } from "node:http";
import { type RequestOptions, request as requestTls } from "node:https";
import { assert, err, ok, type Result } from "../../shared/result.ts";
import { judgeUrl, mayConnect, type OutboundRules, type UrlFault } from "./judge-url.ts";

/**
 * The one way out for addresses that somebody outside gave us: https on one port, no redirects, the
 * address that the socket is *connected* to must be public (a name may resolve to anything, and to
 * something else a moment later), five seconds in all, 64 kB of answer.
 *
 * An answer's body is for our own code. Whoever set the address is told the status, never the body:
 * else this would be a window into wherever it points.
 */

export const OUTBOUND_MS = 5_000;
export const OUTBOUND_BYTES_MAX = 65_536;

export type OutboundFault = UrlFault | "unreachable" | "timeout" | "too_large";

export type OutboundCall = {
  url: string;
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

export type OutboundAnswer = { status: number; body: Buffer };

export type Outbound = {
  /** For settings: said at once, before anybody relies on the address. */
  judge(url: string): UrlFault | undefined;
  send(call: OutboundCall): Promise<Result<OutboundAnswer, OutboundFault>>;
  /**
   * To a machine of this deployment, named in its own configuration: it may live behind our doors and
   * speak plain http. Everything else holds: no redirects, five seconds, 64 kB.
   */
  sendOwn(call: OutboundCall): Promise<Result<OutboundAnswer, OutboundFault>>;
};

type Lookup = typeof lookupName;

export type OutboundOptions = OutboundRules & {
  /** Origins of this deployment. */
  own?: readonly string[];
  /** Tests shorten and replace them. */
  deadlineMs?: number;
  lookup?: Lookup;
};

/** Whether the address that a socket is connected to is allowed. */
type ConnectRules = (address: string) => boolean;

class NotPublic extends Error {}

/** Every address of the name must be allowed: none of them is chosen by chance. */
function guardedLookup(
  allows: ConnectRules,
  lookup: Lookup,
): NonNullable<RequestOptions["lookup"]> {
  return (name, _options, callback) => {
    lookup(name, { all: true, verbatim: true }, (error, addresses) => {
      if (error) return callback(error, "", 4);
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !allows(address)))
        return callback(new NotPublic(name), "", 4);
      // Node asks for one or for all, as it likes; all have been judged.
      if (typeof _options === "object" && _options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { deadlineMs = OUTBOUND_MS, lookup = lookupName, own = [] } = options;

  const go = async (url: URL, call: OutboundCall, rules: ConnectRules) => {
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      return await exchange(url, call, { rules, lookup, signal });
    } catch (error) {
      if (signal.aborted) return err("timeout" as const);
      return err(error instanceof NotPublic ? ("not_public" as const) : ("unreachable" as const));
    }
  };

  return {
    judge(url) {
      const judged = judgeUrl(url, options);
      return judged instanceof URL ? undefined : judged;
    },
    async send(call) {
      const url = judgeUrl(call.url, options);
      if (!(url instanceof URL)) return err(url);
      return await go(url, call, (address) => mayConnect(address, options));
    },
    async sendOwn(call) {
      const url = URL.parse(call.url);
      assert(
        url !== null && own.includes(url.origin),
        "an own address is one of this deployment's",
      );
      return await go(url, call, () => true);
    },
  };
}

function exchange(
  url: URL,
  call: OutboundCall,
  how: { rules: ConnectRules; lookup: Lookup; signal: AbortSignal },
): Promise<Result<OutboundAnswer, OutboundFault>> {
  const { promise, resolve, reject } =
    Promise.withResolvers<Result<OutboundAnswer, OutboundFault>>();
  const request = (url.protocol === "https:" ? requestTls : requestPlain)(url, {
    method: call.method,
    headers: {
      "user-agent": "sira/1",
      ...call.headers,
      ...(call.body === undefined ? {} : { "content-length": Buffer.byteLength(call.body) }),
    },
    // A connection of its own: a pooled one would have been judged for somebody else.
    agent: false,
    lookup: guardedLookup(how.rules, how.lookup),
    signal: how.signal,
  });
  request.on("error", reject);
  request.once("socket", (socket) =>
    socket.once("connect", () => {
      if (!how.rules(socket.remoteAddress ?? "")) request.destroy(new NotPublic(url.host));
    }),
  );
  request.once("response", (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTBOUND_BYTES_MAX) {
        resolve(err("too_large"));
        request.destroy();
      } else chunks.push(chunk);
    });
    response.once("error", reject);
    response.once("end", () =>
      resolve(ok({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) })),
    );
  });
  request.end(call.body);
  return promise;
}
