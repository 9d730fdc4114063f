import type { ErrorCode } from "../../../shared/errors.ts";
import { type BrowserKey, learnNonce, makeProof } from "./proof.ts";

/** What came of a call. `network` says that nobody knows whether the server did anything. */
export type Reply<T> =
  | { kind: "ok"; status: number; data: T; headers: Headers }
  | { kind: "problem"; status: number; problem: PageProblem; retryAfterMs?: number }
  | { kind: "network" };

/** A problem document as far as pages read it. `code` may be one that this build does not know. */
export type PageProblem = {
  code: ErrorCode | (string & {});
  detail?: string;
  requestId?: string;
  [fact: string]: unknown;
};

/** How a request says who sends it. With a key, each request carries a proof made for it alone. */
export type Credential = {
  scheme: "Place" | "DPoP" | "Bearer" | "Order" | "Ticket";
  token: string;
  key?: BrowserKey;
};

export type Call = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  credential?: Credential;
  /** The person's own session at the core counts, and may begin or end with this call. */
  session?: true;
  headers?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
  keepalive?: boolean;
  /** No cache on the way may answer. */
  isFresh?: true;
};

const TIMEOUT_MS = 15_000;

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3). */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

async function readProblem(response: Response): Promise<PageProblem> {
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null && "code" in body)
      return { ...body, code: String(body.code) };
  } catch {
    // A proxy's own error page; the status is all we learn.
  }
  return { code: response.status === 404 ? "not_found" : "unavailable" };
}

async function send(url: URL, call: Call): Promise<Response> {
  const method = call.method ?? "GET";
  const headers: Record<string, string> = { accept: "application/json", ...call.headers };
  const { credential } = call;
  if (credential) {
    headers["authorization"] = `${credential.scheme} ${credential.token}`;
    if (credential.key)
      headers["dpop"] = await makeProof(credential.key, { method, url, token: credential.token });
  }
  if (call.body !== undefined) headers["content-type"] = "application/json";
  // One id from this press to the provider and the mail; reads keep to what needs no preflight.
  if (method !== "GET") headers["x-request-id"] = `page_${crypto.randomUUID()}`;
  // `AbortSignal.any` is younger than many phones.
  const abort = new AbortController();
  setTimeout(() => abort.abort(), call.timeoutMs ?? TIMEOUT_MS);
  call.signal?.addEventListener("abort", () => abort.abort());
  return fetch(url, {
    method,
    headers,
    signal: abort.signal,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.keepalive ? { keepalive: true } : {}),
    ...(call.isFresh ? { cache: "no-store" } : {}),
    credentials: call.session ? "include" : url.origin === location.origin ? "same-origin" : "omit",
  });
}

/** One call. It repeats nothing, but for a proof that was refused for want of a nonce. */
export async function call<T>(address: string, request: Call = {}): Promise<Reply<T>> {
  const url = new URL(address, location.origin);
  try {
    let response = await send(url, request);
    const learned = learnNonce(url, response.headers);
    // The refused request did nothing, so sending it again with the nonce is no repetition.
    if (response.status === 401 && learned && request.credential?.key) {
      response = await send(url, request);
      learnNonce(url, response.headers);
    }
    if (response.ok) {
      const text = await response.text();
      const data = (text === "" ? undefined : JSON.parse(text)) as T;
      return { kind: "ok", status: response.status, data, headers: response.headers };
    }
    const wait = retryAfterMs(response.headers.get("retry-after"), Date.now());
    return {
      kind: "problem",
      status: response.status,
      problem: await readProblem(response),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  } catch {
    return { kind: "network" };
  }
}

/** What a static page cannot know when it is built. */
export type PageConfig = {
  core: string;
  /** Where cards are taken by Stripe's own form: its script, and our publishable key. */
  stripe?: { key: string; script: string };
};

let config: PageConfig | undefined;

/** The gate tells; undefined while it cannot be asked. */
export async function findConfig(): Promise<PageConfig | undefined> {
  if (config !== undefined) return config;
  const reply = await call<PageConfig>("/api/config");
  if (reply.kind === "ok") config = reply.data;
  return config;
}

/** Where the core is. */
export async function findCore(): Promise<string | undefined> {
  return config?.core ?? (await findConfig())?.core;
}
