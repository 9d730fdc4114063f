import type { StatusDocument } from "../../shared/contract/queue.ts";
import { Refusal } from "../../shared/errors.ts";
import { EVENT_ID_PATTERN } from "../../shared/ids.ts";
import type { PlaceCredential } from "../guard/credential.ts";
import { findPlace } from "../guard/credential.ts";
import { currentRoom } from "../guard/current.ts";
import { doorOfPlace } from "../guard/place-id.ts";
import { continueToOf, needsCode } from "../guard/present.ts";
import { doorObject } from "../guard/rooms.ts";
import { readStatus } from "../guard/status.ts";
import type { GateContext } from "../http/context.ts";
import { refuseForeignOrigin } from "../http/cors.ts";
import { keepAliveOf, routes } from "../http/routes.ts";
import type { RoomEntry } from "../room/directory.ts";
import { linePage } from "./line-page.ts";
import { takePlace } from "./places.ts";

/**
 * The line without JavaScript, in rooms without a session key: a form joins, and a page that looks again
 * by itself waits and lets in, by the cookie alone. Far from the front it reads the shared document only.
 */
export const lineRoutes = routes({
  "/api/line": { POST: async (c) => await begin(c) },
  "/api/queue/:event/line": { GET: show, POST: joinByForm },
});

const seeOther = (location: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", ...headers },
  });

/** The static page is one for all events: which one the form stood on says its address. */
async function begin(c: GateContext): Promise<Response> {
  const referer = c.req.header("referer") ?? "";
  const { origin, pathname } = new URL(URL.canParse(referer) ? referer : "http://none.invalid/");
  const event = /^\/e\/([^/]+)\/?$/.exec(pathname)?.[1] ?? "";
  if (origin !== c.get("config").edgeOrigin || !EVENT_ID_PATTERN.test(event))
    throw new Refusal("not_found");
  // 307 keeps the form a POST, so that one press is one join.
  return new Response(null, { status: 307, headers: { location: `/api/queue/${event}/line` } });
}

/** Why this room cannot be waited for without JavaScript. */
function needsScript(room: RoomEntry): string | undefined {
  if (room.binding === "dpop")
    return "In this line your browser proves with a key that it is yours, which needs JavaScript.";
  if (room.entry === "pass") return "This line is for registered accounts, which needs JavaScript.";
  if (room.challenge !== "none")
    return "This line begins with a short check, which needs JavaScript.";
  return undefined;
}

async function joinByForm(c: GateContext): Promise<Response> {
  const now = Date.now();
  const room = await currentRoom(c, now);
  refuseForeignOrigin(c.get("config"), c.req.raw);
  const path = `/api/queue/${room.event}/line`;
  if (needsScript(room) !== undefined) return seeOther(path);
  const { cookie } = await takePlace(c, { room, body: {}, now });
  return seeOther(path, { "set-cookie": cookie });
}

async function show(c: GateContext): Promise<Response> {
  const now = Date.now();
  const config = c.get("config");
  const room = await currentRoom(c, now);
  const obstacle = needsScript(room);
  if (obstacle !== undefined) return linePage({ event: room.event, lines: [obstacle] });
  const { text } = await readStatus(c.env, config, { room, now, keepAlive: keepAliveOf(c) });
  const status = JSON.parse(text) as StatusDocument;
  const credential = await findPlace(config, c.req.raw, {
    event: room.event,
    epoch: room.epoch,
    now,
    earlier: "ignore",
    cookie: true,
  });
  if (!credential) return linePage({ event: room.event, lines: headOf(status), join: true });
  const number = credential.claims.num;
  const isFar =
    status.phase === "upcoming" ||
    (number !== undefined && number - status.calling > status.poll.nearAhead);
  if (isFar) {
    const lines = [...headOf(status), ...placeOf(status, number)];
    return linePage({ event: room.event, lines, refreshMs: status.poll.farMs });
  }
  return await atTheFront(c, { room, status, credential });
}

async function atTheFront(
  c: GateContext,
  more: { room: RoomEntry; status: StatusDocument; credential: PlaceCredential },
): Promise<Response> {
  const { room, status, credential } = more;
  const config = c.get("config");
  const { num, idx, gen, acct } = credential.claims;
  const door = { event: room.event, epoch: room.epoch, door: doorOfPlace(credential.place) };
  const outcome = await doorObject(c.env, config, { room, place: credential.place }).turn(door, {
    place: credential.place,
    gen,
    ...(num === undefined ? {} : { number: num }),
    ...(idx === undefined ? {} : { index: idx }),
    ...(acct === undefined ? {} : { account: acct }),
    hidden: false,
    wantsCode: needsCode(config, room),
  });
  switch (outcome.kind) {
    case "admitted": {
      const to = continueToOf(config, room, outcome.code);
      // Another site takes the code with the address; our own shop is an application in the browser.
      if (outcome.code !== undefined) return seeOther(to);
      const lines = ["It is your turn.", "The shop itself needs JavaScript."];
      return linePage({ event: room.event, lines, continueTo: to });
    }
    case "waiting":
    case "ready": {
      const { number, ahead } = outcome;
      const lines = [...headOf(status), ...placeOf(status, number ?? num, ahead)];
      return linePage({ event: room.event, lines, refreshMs: outcome.retryAfterMs });
    }
    case "gone":
    case "moved":
      return linePage({ event: room.event, lines: ["This place is over."] });
    case "replayed":
    case "too_many":
    case "away": {
      const refreshMs = outcome.kind === "replayed" ? 5_000 : outcome.retryAfterMs;
      const lines = ["Your place is kept. The line cannot be asked for a moment."];
      return linePage({ event: room.event, lines, refreshMs });
    }
  }
}

const PHASES: Readonly<Record<StatusDocument["phase"], string>> = {
  upcoming: "The line has not opened yet.",
  drawing: "The numbers are being drawn.",
  open: "The line is moving.",
  paused: "The line is paused. Your place is kept.",
  sold_out: "Sold out.",
  closed: "The line is closed.",
};

const headOf = (status: StatusDocument): string[] => [
  PHASES[status.phase],
  ...(status.phase === "upcoming" ? [`It opens at ${status.opensAt} (UTC).`] : []),
  ...(status.notice ? [status.notice] : []),
];

function placeOf(
  status: StatusDocument,
  number: number | undefined,
  ahead?: number | undefined,
): string[] {
  if (number === undefined) return ["Your place is kept; its number follows."];
  return [
    `Your number: ${number}.`,
    `Now called: ${status.calling}.`,
    ...(ahead === undefined ? [] : [`People ahead of you: ${ahead}.`]),
  ];
}
