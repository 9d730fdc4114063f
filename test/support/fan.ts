// A fan over HTTP, step by step, for tests that walk through the system: joins, is admitted, holds,
// orders, pays. Every call returns the raw status, headers and body, so that a test can judge them.
import { setTimeout as sleep } from "node:timers/promises";
import type { AdmissionView, JoinReply, TurnReply } from "../../shared/contract/queue.ts";
import { makeProof, makeSessionKey, type SessionKey } from "../../tools/crowd/session-key.ts";

const ADMISSION_TRIES_MAX = 120;
const ADMISSION_PAUSE_MS = 250;

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface Fan {
  readonly key: SessionKey;
  readonly event: string;
  readonly joined: JoinReply;
  turn(): Promise<Answer<TurnReply>>;
  /** Turns until admitted. */
  admit(): Promise<AdmissionView>;
  /** A call to the core with the admission, and a proof where it is bound. */
  callCore<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Answer<Body>>;
}

/** Any request; a body is sent as JSON, and what comes back is parsed where it says it is JSON. */
export async function request<Body = Record<string, unknown>>(
  method: string,
  url: string,
  options: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    redirect: "manual",
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
  const body: Body = isJson ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, body, text };
}

/** Joins the event's queue with a key of its own; pass `bound: false` for `binding: none`. */
export async function joinQueue(
  origins: { readonly edge: string; readonly core: string },
  event: string,
  options: { readonly bound?: boolean; readonly pass?: string } = {},
): Promise<Fan> {
  const key = makeSessionKey();
  const bound = options.bound ?? true;
  const base = `${origins.edge}/api/queue/${event}`;
  const join = await request<JoinReply>("POST", `${base}/places`, {
    body: {
      ...(bound ? { key: key.publicJwk } : {}),
      ...(options.pass === undefined ? {} : { pass: options.pass }),
    },
  });
  if (join.status !== 201) throw new Error(`join answered ${join.status}: ${join.text}`);
  const { token } = join.body;
  const prove = (method: string, url: string, shown: string): Record<string, string> =>
    bound ? { dpop: makeProof(key, { method, url, token: shown }) } : {};
  let admission: AdmissionView | undefined;

  const turn = (): Promise<Answer<TurnReply>> => {
    const url = `${base}/turn`;
    const headers = { authorization: `Place ${token}`, ...prove("POST", url, token) };
    return request<TurnReply>("POST", url, { body: {}, headers });
  };
  return {
    key,
    event,
    joined: join.body,
    turn,
    async admit() {
      for (let tries = 0; tries < ADMISSION_TRIES_MAX; tries++) {
        const answer = await turn();
        if (answer.status === 200 && answer.body.state === "admitted") {
          admission = answer.body.admission;
          return admission;
        }
        if (answer.status !== 200 && answer.status !== 503) {
          throw new Error(`turn answered ${answer.status}: ${answer.text}`);
        }
        await sleep(ADMISSION_PAUSE_MS);
      }
      throw new Error(`not admitted to ${event} after ${ADMISSION_TRIES_MAX} turns`);
    },
    callCore(method, path, callOptions = {}) {
      if (admission === undefined) throw new Error("call admit() first");
      const url = `${origins.core}${path}`;
      const headers = {
        authorization: `${admission.type} ${admission.token}`,
        ...prove(method, url.replace(/\?.*$/, ""), admission.token),
        ...callOptions.headers,
      };
      return request(method, url, { ...callOptions, headers });
    },
  };
}
