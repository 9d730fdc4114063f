import { z } from "zod";
import {
  roomActionSchema,
  roomPatchSchema,
  roomSettingsSchema,
} from "../../shared/contract/rooms.ts";
import { Refusal } from "../../shared/errors.ts";
import { isEventId } from "../../shared/ids.ts";
import { currentRoom } from "../guard/current.ts";
import { requireOrganizer } from "../guard/issuers.ts";
import { forgetRooms, roomObject } from "../guard/rooms.ts";
import { forgetStatus } from "../guard/status.ts";
import { check, readBody } from "../http/body.ts";
import { type GateContext, json } from "../http/context.ts";
import { param, routes } from "../http/routes.ts";
import type { Act, RoomView, Verdict } from "../room/messages.ts";

/** What organizers do: settings, acts, figures, log. A viewer reads; owners and operators change. */
export const roomRoutes = routes({
  "/api/rooms/:event": { GET: show, PUT: put, PATCH: patch, DELETE: remove },
  "/api/rooms/:event/actions": { POST: act },
  "/api/rooms/:event/figures": { GET: figures },
  "/api/rooms/:event/log": { GET: log },
  "/api/rooms/:event/fairness": { GET: fairness },
  "/api/queue/:event/fairness": { GET: publicFairness },
});

/** Who calls, for which event; before anything is said about whether the room exists. */
async function organizer(
  c: GateContext,
  write: boolean,
): Promise<{ event: string; actor: string }> {
  const event = param(c, "event");
  if (!isEventId(event)) throw new Refusal("unknown_event");
  const { actor } = await requireOrganizer(c.get("config"), c.req.raw, {
    event,
    write,
    now: Date.now(),
  });
  return { event, actor };
}

const actOf = (c: GateContext, actor: string, reason?: string): Act => ({
  actor,
  requestId: c.get("requestId"),
  ...(reason === undefined ? {} : { reason }),
});

function settled<T>(c: GateContext, event: string, verdict: Verdict<T>): T {
  if (!verdict.ok)
    throw new Refusal(verdict.code, {
      ...(verdict.detail === undefined ? {} : { detail: verdict.detail }),
      ...(verdict.facts === undefined ? {} : { facts: verdict.facts }),
      ...(verdict.code === "not_ready" ? { headers: { "retry-after": "2" } } : {}),
    });
  forgetRooms(c.env);
  forgetStatus(c.env, event);
  return verdict.value;
}

const etagOf = (view: RoomView) => ({ etag: `"${view.version}"` });

function ifMatchOf(c: GateContext): { ifMatch?: number } {
  const header = c.req.header("if-match");
  if (header === undefined || header.trim() === "*") return {};
  const version = /^\s*(?:W\/)?"?(\d{1,15})"?\s*$/.exec(header)?.[1];
  if (version === undefined) throw new Refusal("version_conflict");
  return { ifMatch: Number(version) };
}

async function show(c: GateContext): Promise<Response> {
  const { event } = await organizer(c, false);
  await currentRoom(c, Date.now());
  const view = await roomObject(c.env, c.get("config"), event).view();
  if (!view) throw new Refusal("unknown_event");
  return json(view, 200, etagOf(view));
}

async function put(c: GateContext): Promise<Response> {
  const { event, actor } = await organizer(c, true);
  const settings = await readBody(c.req.raw, roomSettingsSchema);
  const verdict = await roomObject(c.env, c.get("config"), event).put(
    { event, settings, ...ifMatchOf(c) },
    actOf(c, actor),
  );
  const { view, created } = settled(c, event, verdict);
  return json(view, created ? 201 : 200, etagOf(view));
}

async function patch(c: GateContext): Promise<Response> {
  const { event, actor } = await organizer(c, true);
  await currentRoom(c, Date.now());
  const body = await readBody(c.req.raw, roomPatchSchema);
  const verdict = await roomObject(c.env, c.get("config"), event).patch(
    { patch: body, ...ifMatchOf(c) },
    actOf(c, actor, body.reason),
  );
  const view = settled(c, event, verdict);
  return json(view, 200, etagOf(view));
}

async function act(c: GateContext): Promise<Response> {
  const { event, actor } = await organizer(c, true);
  await currentRoom(c, Date.now());
  const body = await readBody(c.req.raw, roomActionSchema);
  const verdict = await roomObject(c.env, c.get("config"), event).act(
    body,
    actOf(c, actor, body.reason),
  );
  const view = settled(c, event, verdict);
  return json(view, 200, etagOf(view));
}

/** History up to this instant (ms) is known to the asker. */
const figuresQuerySchema = z.strictObject({ since: z.coerce.number().int().min(0).default(0) });

async function figures(c: GateContext): Promise<Response> {
  const { event } = await organizer(c, false);
  await currentRoom(c, Date.now());
  const { since } = check(figuresQuerySchema, c.req.query());
  const found = await roomObject(c.env, c.get("config"), event).figures(since);
  if (!found) throw new Refusal("unknown_event");
  return json(found);
}

/** Only a rehearsal's room; see `retireRoom`. */
async function remove(c: GateContext): Promise<Response> {
  const { event } = await organizer(c, true);
  await currentRoom(c, Date.now());
  const room = roomObject(c.env, c.get("config"), event);
  settled(c, event, await room.retire());
  // The object ends itself, so its own answer never comes.
  await room.end().catch(() => undefined);
  return new Response(null, { status: 204 });
}

async function fairness(c: GateContext): Promise<Response> {
  const { event } = await organizer(c, false);
  await currentRoom(c, Date.now());
  const found = await roomObject(c.env, c.get("config"), event).fairness();
  if (!found) throw new Refusal("unknown_event");
  return json({ ...found.report, published: found.published });
}

/** Not there until the organizer publishes it. */
async function publicFairness(c: GateContext): Promise<Response> {
  await currentRoom(c, Date.now());
  const found = await roomObject(c.env, c.get("config"), param(c, "event")).fairness();
  if (!found?.published) throw new Refusal("not_found");
  return json(found.report, 200, { "cache-control": "public, max-age=30" });
}

const logQuerySchema = z.strictObject({
  before: z.coerce.number().int().min(1).default(Number.MAX_SAFE_INTEGER),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

async function log(c: GateContext): Promise<Response> {
  const { event } = await organizer(c, false);
  await currentRoom(c, Date.now());
  const page = check(logQuerySchema, c.req.query());
  const found = await roomObject(c.env, c.get("config"), event).log(page);
  if (!found) throw new Refusal("unknown_event");
  return json(found);
}
