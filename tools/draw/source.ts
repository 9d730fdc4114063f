import { readFile } from "node:fs/promises";
import { isEventId } from "../../shared/ids.ts";

/** Where the evidence comes from: a running gate, or a file that somebody kept. */
export type Source = {
  name: string;
  /** The gate, when there is one to ask. */
  origin: string | undefined;
  evidence(index?: number): Promise<unknown>;
  /** What the room shows to everybody at this moment; nothing for a file. */
  status(): Promise<unknown>;
};

const FETCH_MS_MAX = 15_000;
/** An evidence document with a thousand resets stays far below. */
const ANSWER_CHARS_MAX = 2_000_000;

export async function openSource(where: string): Promise<Source> {
  if (!/^https?:\/\//.test(where)) {
    const document: unknown = JSON.parse(await readFile(where, "utf8"));
    return {
      name: `the file ${where}`,
      origin: undefined,
      evidence: async () => document,
      status: async () => undefined,
    };
  }
  const { origin, event } = eventOf(new URL(where));
  const base = `${origin}/api/queue/${event}`;
  return {
    name: `${base}/draw`,
    origin,
    evidence: (index) =>
      fetchJson(index === undefined ? `${base}/draw` : `${base}/draw?index=${index}`),
    status: () => fetchJson(`${base}/status`),
  };
}

/** Understands `/e/{event}`, `/verify/{event}`, `/shop/{event}` and any `/api/queue/{event}/…`. */
export function eventOf(url: URL): { origin: string; event: string } {
  const path = url.pathname.match(/^\/(?:e|verify|shop|api\/queue)\/([^/]+)(?:\/|$)/);
  const event = path?.[1] ?? "";
  if (!isEventId(event)) throw new Error(`${url.href} is not the page of an event (…/e/<event>).`);
  return { origin: url.origin, event };
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_MS_MAX) });
  const text = await response.text();
  if (text.length > ANSWER_CHARS_MAX) throw new Error(`${address} answered far too much.`);
  if (response.ok) return JSON.parse(text);
  throw new Error(`${address} answered ${response.status}: ${titleOf(text)}`);
}

function titleOf(text: string): string {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem === "object" && problem !== null && "title" in problem) {
      return String(problem.title);
    }
  } catch {
    // Not a problem document; the text itself will do.
  }
  return text.slice(0, 200);
}
