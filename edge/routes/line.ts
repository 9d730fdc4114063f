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
import { linePage, type PageLine } from "./line-page.ts";
import { type LineLanguage, type LineWords, languageOf, wordsOf } from "./line-words.ts";
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
function needsScript(room: RoomEntry): "needsKey" | "needsAccount" | "needsCheck" | undefined {
  if (room.binding === "dpop") return "needsKey";
  if (room.entry === "pass") return "needsAccount";
  if (room.challenge !== "none") return "needsCheck";
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
  const language = languageOf(c.req.header("accept-language"));
  const words = wordsOf(language);
  const page = { event: room.event, language };
  const obstacle = needsScript(room);
  if (obstacle !== undefined) return linePage({ ...page, lines: [words[obstacle]] });
  const { text } = await readStatus(c.env, config, { room, now, keepAlive: keepAliveOf(c) });
  const status = JSON.parse(text) as StatusDocument;
  const credential = await findPlace(config, c.req.raw, {
    event: room.event,
    epoch: room.epoch,
    now,
    earlier: "ignore",
    cookie: true,
  });
  const head = headOf(words, status, { language, timeZone: status.branding?.timeZone });
  if (!credential) return linePage({ ...page, lines: head, join: true });
  const number = credential.claims.num;
  const isFar =
    status.phase === "upcoming" ||
    (number !== undefined && number - status.calling > status.poll.nearAhead);
  if (isFar) {
    const lines = [...head, ...placeOf(words, status, { number, language })];
    return linePage({ ...page, lines, refreshMs: status.poll.farMs });
  }
  return await atTheFront(c, { room, status, credential, language, head });
}

async function atTheFront(
  c: GateContext,
  more: {
    room: RoomEntry;
    status: StatusDocument;
    credential: PlaceCredential;
    language: LineLanguage;
    head: readonly PageLine[];
  },
): Promise<Response> {
  const { room, status, credential, language, head } = more;
  const words = wordsOf(language);
  const page = { event: room.event, language };
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
      const lines = [{ big: words.yourTurn }, words.shopNeedsScript];
      return linePage({ ...page, lines, continueTo: to });
    }
    case "waiting":
    case "ready": {
      const { number, ahead } = outcome;
      const place = placeOf(words, status, { number: number ?? num, ahead, language });
      return linePage({ ...page, lines: [...head, ...place], refreshMs: outcome.retryAfterMs });
    }
    case "gone":
    case "moved":
      return linePage({ ...page, lines: [words.over] });
    case "replayed":
    case "too_many":
    case "away": {
      const refreshMs = outcome.kind === "replayed" ? 5_000 : outcome.retryAfterMs;
      return linePage({ ...page, lines: [words.away], refreshMs });
    }
  }
}

/** The opening as the venue's clock shows it, with the zone's name; UTC where no zone is set. */
function headOf(
  words: LineWords,
  status: StatusDocument,
  more: { language: LineLanguage; timeZone: string | undefined },
): PageLine[] {
  const opensAt = new Intl.DateTimeFormat(more.language, {
    dateStyle: "long",
    timeStyle: "long",
    timeZone: more.timeZone ?? "UTC",
  });
  return [
    words.phase[status.phase],
    ...(status.phase === "upcoming"
      ? [words.opensAt(opensAt.format(new Date(status.opensAt)))]
      : []),
    ...(status.notice ? [status.notice] : []),
  ];
}

function placeOf(
  words: LineWords,
  status: StatusDocument,
  more: { number: number | undefined; ahead?: number | undefined; language: LineLanguage },
): PageLine[] {
  const whole = (count: number): string => new Intl.NumberFormat(more.language).format(count);
  if (more.number === undefined) return [words.numberFollows];
  return [
    { big: words.number(whole(more.number)) },
    words.called(whole(status.calling)),
    ...(more.ahead === undefined ? [] : [words.ahead(whole(more.ahead))]),
  ];
}
