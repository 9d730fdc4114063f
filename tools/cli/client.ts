// The organizer API over HTTP, with a session that is opened when it is first needed.
import type { Credentials } from "./credentials.ts";

const TIMEOUT_MS = 30_000;
/** A session lives an hour; a watched sale may last longer. */
const SESSION_MS = 45 * 60_000;

/** The API's own refusal, with its words. */
export class Refused extends Error {
  readonly status: number;
  readonly problem: unknown;
  constructor(status: number, problem: unknown) {
    super(sentenceOf(status, problem));
    this.status = status;
    this.problem = problem;
  }
}

export interface Client {
  /** @throws {Refused} for a key that is not accepted. */
  signIn(): Promise<void>;
  gate<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  core<Body>(method: string, path: string, body?: unknown): Promise<Body>;
}

export function createClient(credentials: Credentials): Client {
  let session: { token: string; openedAt: number } | undefined;
  const token = async (): Promise<string> => {
    if (session === undefined || Date.now() - session.openedAt > SESSION_MS) {
      const url = `${credentials.core}/v1/organizer/sessions`;
      const opened = await send<{ token: string }>("POST", url, { key: credentials.key });
      session = { token: opened.token, openedAt: Date.now() };
    }
    return session.token;
  };
  return {
    async signIn() {
      await token();
    },
    gate: async (method, path, body) => send(method, credentials.gate + path, body, await token()),
    core: async (method, path, body) => send(method, credentials.core + path, body, await token()),
  };
}

async function send<Body>(
  method: string,
  url: string,
  body: unknown,
  token?: string,
): Promise<Body> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${new URL(url).origin} cannot be reached: ${String(cause)}`);
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const answer: unknown = isJson && text !== "" ? JSON.parse(text) : text;
  if (!response.ok) throw new Refused(response.status, answer);
  return answer as Body;
}

function sentenceOf(status: number, problem: unknown): string {
  if (typeof problem !== "object" || problem === null) return `answered ${status}`;
  const { title, detail, code, errors }: Record<string, unknown> = { ...problem };
  const fields = Array.isArray(errors) ? errors.map((each) => `\n  ${describeField(each)}`) : [];
  const more = detail === undefined || detail === title ? "" : ` ${String(detail)}`;
  return `${String(title ?? `answered ${status}`)}${more} (${String(code ?? status)})${fields.join("")}`;
}

function describeField(field: unknown): string {
  if (typeof field !== "object" || field === null) return String(field);
  return Object.values(field).map(String).join(": ");
}
