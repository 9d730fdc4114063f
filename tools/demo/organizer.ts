// An organizer's calls over HTTP, as anybody with the organizer key can make them.
import type { EventPut } from "../../shared/contract/events.ts";

const CALL_TIMEOUT_MS = 60_000;

export interface Organizer {
  putEvent(event: string, body: EventPut): Promise<void>;
  /** The room's present phase; undefined where there is no room yet. */
  findPhase(event: string): Promise<string | undefined>;
  putRoom(event: string, settings: object): Promise<void>;
  act(event: string, action: string, reason: string): Promise<void>;
}

export async function openOrganizerSession(
  origins: { readonly edge: string; readonly core: string },
  key: string,
): Promise<Organizer> {
  const session = await call(`${origins.core}/v1/organizer/sessions`, "POST", { key });
  const { token }: { token: string } = JSON.parse(session.text);
  const rooms = `${origins.edge}/api/rooms`;
  return {
    async putEvent(event, body) {
      await call(`${origins.core}/v1/organizer/events/${event}`, "PUT", body, token);
    },
    async findPhase(event) {
      if ((await call(`${rooms}/${event}`, "GET", undefined, token, [404])).status === 404) {
        return undefined;
      }
      const status = await call(`${origins.edge}/api/queue/${event}/status`, "GET");
      const { phase }: { phase: string } = JSON.parse(status.text);
      return phase;
    },
    async putRoom(event, settings) {
      await call(`${rooms}/${event}`, "PUT", settings, token);
    },
    async act(event, action, reason) {
      await call(`${rooms}/${event}/actions`, "POST", { action, reason }, token);
    },
  };
}

async function call(
  url: string,
  method: string,
  body?: object,
  token?: string,
  expected: readonly number[] = [],
): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok && !expected.includes(response.status)) {
    throw new Error(`${method} ${url} answered ${response.status}: ${text.slice(0, 500)}`);
  }
  return { status: response.status, text };
}
