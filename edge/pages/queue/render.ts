import { readClaims } from "../kit/base64url.ts";
import { serverNow } from "../kit/clock.ts";
import { byId, make, setLine, setText } from "../kit/dom.ts";
import { type Format, fill } from "../kit/i18n.ts";
import { showBoard } from "./board.ts";
import type { Facts } from "./facts.ts";
import { showLooks } from "./looks.ts";
import { oddsOf } from "./odds.ts";
import type { QueueTexts } from "./texts/en.ts";
import { decideView, type Screen, type View } from "./view.ts";

/** Draws the facts. Safe to call as often as anybody likes: it writes only what differs. */

export type Drawing = {
  facts: Facts;
  texts: QueueTexts;
  format: Format;
  durable: boolean;
  /** In a browser inside another app. */
  inApp: boolean;
  /** The order that this browser has made for the event. */
  order?: string | undefined;
};

const BLANK_CELLS = 4;

function sayOf(screen: Screen, texts: QueueTexts): readonly [string, string] {
  return screen === "pool" ? texts.pool_ : texts[screen];
}

function stampOf(screen: Screen, texts: QueueTexts): string | undefined {
  switch (screen) {
    case "ready":
    case "going":
      return texts.stampCalled;
    case "left":
      return texts.stampLeft;
    case "gone":
      return texts.stampEnded;
    case "moved":
      return texts.stampMoved;
    case "sold_out":
    case "too_late":
      return texts.stampSoldOut;
    case "closed":
      return texts.stampClosed;
    default:
      return undefined;
  }
}

function showTicket(view: View, { facts, texts, format }: Drawing): void {
  const number = byId("number");
  const isBlank = view.number === undefined;
  setText(byId("ticket-label"), texts.yourNumber);
  number.classList.toggle("blank", isBlank);
  if (view.number === undefined) {
    if (number.childElementCount !== BLANK_CELLS)
      number.replaceChildren(...Array.from({ length: BLANK_CELLS }, () => make("span")));
  } else {
    const text = format.number(view.number);
    number.style.setProperty("--chars", String(Math.max(4, text.length)));
    setText(number, text);
  }
  setText(byId("stub"), view.number === undefined ? "Sıra" : format.number(view.number));
  const { place, status } = facts;
  let line = "";
  if (view.number !== undefined && place)
    line = fill(texts.inLineSince, { time: format.time(place.joinedAt) });
  else if (view.screen === "pool" && status)
    line = fill(texts.drawnAt, { time: format.dateTime(status.opensAt) });
  else if (place && place.index === undefined) line = texts.numberFollows;
  const stamp = stampOf(view.screen, texts);
  setLine(byId("stamp"), stamp);
  setLine(byId("ticket-line"), stamp === undefined ? line : undefined);
}

function showFacts(view: View, { facts, texts, format }: Drawing): void {
  const waits = ["waiting", "near", "missed", "paused", "baskets"].includes(view.screen);
  const { ahead, wait } = view;
  byId("fact-ahead").hidden = !waits || ahead === undefined;
  if (ahead !== undefined)
    setText(byId("ahead"), ahead === 0 ? texts.nobody : format.plural(texts.ahead, ahead));
  byId("fact-wait").hidden = !waits || view.screen === "paused" || ahead === 0;
  const range = wait ? format.durationRange(wait.lowMs, wait.highMs) : "";
  const trust = wait?.sure ? texts.waitSure : texts.waitRough;
  byId("wait").replaceChildren(
    ...(wait
      ? [fill(texts.waitAbout, { time: range }), make("small", { text: trust })]
      : [texts.waitUnknown]),
  );
  const seats = facts.status?.seats;
  byId("fact-seats").hidden =
    !(waits || view.screen === "pool" || view.screen === "early") || !seats;
  if (seats) {
    const held =
      seats.held > 0 ? [make("small", { text: format.plural(texts.seatsHeld, seats.held) })] : [];
    const odds = waits && ahead !== undefined && facts.status && oddsOf(ahead, facts.status);
    const word = { good: texts.oddsGood, even: texts.oddsEven, slim: texts.oddsSlim };
    const chance = odds ? [make("small", { text: word[odds] })] : [];
    byId("seats").replaceChildren(format.plural(texts.seats, seats.available), ...held, ...chance);
  }
  const others = (facts.status?.pool.count ?? 0) - 1;
  byId("fact-pool").hidden = view.screen !== "pool" || others < 1;
  setText(byId("pool"), format.plural(texts.pool, Math.max(0, others)));
  const way = byId("way");
  way.hidden = !waits || view.progress === undefined;
  byId("way-done").style.setProperty("--done", `${Math.round((view.progress ?? 0) * 1000) / 10}%`);
}

function showTiers({ facts, texts, format }: Drawing): void {
  const tiers = facts.status?.tiers ?? [];
  const list = byId("tiers");
  list.hidden = tiers.length === 0 || facts.end !== undefined;
  const lines = tiers.map((tier) =>
    make(
      "li",
      { className: tier.soldOut ? "out" : "" },
      make("span", { text: tier.name }),
      make("span", { text: tier.soldOut ? texts.soldOut : format.money(tier.price) }),
    ),
  );
  if (list.textContent !== lines.map((line) => line.textContent).join(""))
    list.replaceChildren(...lines);
}

/** What the fan may press to go on from an end. */
function onwardOf(screen: Screen, texts: QueueTexts): string | undefined {
  switch (screen) {
    case "left":
    case "gone":
      return texts.again;
    case "conflict":
      return texts.replace;
    case "too_late":
    case "challenge":
    case "link":
      return texts.tryAgain;
    default:
      return undefined;
  }
}

function showActions(view: View, { facts, texts, order }: Drawing): void {
  const go = byId("go") as HTMLAnchorElement;
  go.hidden = view.screen !== "going";
  if (facts.continueTo !== undefined) go.href = facts.continueTo;
  setText(go, texts.goOn);
  const again = byId("again");
  const onward = onwardOf(view.screen, texts);
  again.hidden = onward === undefined;
  setText(again, onward ?? "");
  const home = byId("home");
  home.hidden = !["unknown", "closed", "gone", "left", "sold_out", "too_late"].includes(
    view.screen,
  );
  setText(home, texts.home);
  const mine = byId("mine") as HTMLAnchorElement;
  mine.hidden = order === undefined || facts.end === undefined;
  if (order !== undefined) mine.href = `/orders/${encodeURIComponent(order)}`;
  setText(mine, texts.myOrder);
  if (view.screen === "pass" && order === undefined) {
    mine.hidden = false;
    mine.href = `/account?event=${encodeURIComponent(facts.event)}`;
    setText(mine, texts.toAccount);
  }
  if (view.screen === "challenge" && facts.check) {
    again.hidden = true;
    mine.hidden = false;
    mine.href = `/check/${encodeURIComponent(facts.event)}`;
    setText(mine, texts.toCheck);
  }
  // Where there is an order, it is what the fan has come back for.
  again.classList.toggle("quiet", !mine.hidden);
  const drawn = byId("drawn") as HTMLAnchorElement;
  drawn.hidden = !view.drawn || view.number === undefined;
  drawn.href = `/verify/${encodeURIComponent(facts.event)}`;
  setText(drawn, texts.howDrawn);
  for (const part of ["wake", "takeAlong"] as const) {
    const button = byId(part);
    button.hidden = !view.canLeave || view.number === undefined;
    // In the draw there is no number yet, and one can be woken all the same.
    if (part === "wake") button.hidden = !view.canLeave;
    setText(button, texts[part]);
  }
  setText(byId("places"), texts.places);
  setText(byId("howReal"), texts.howReal);
  const leave = byId("leave");
  leave.hidden = !view.canLeave;
  setText(leave, texts.leave);
}

function showCalm(
  view: View,
  { facts, texts, format, durable, inApp }: Drawing,
  now: number,
): void {
  const trouble = facts.trouble ?? (facts.status?.stale ? "restoring" : undefined);
  const isEnd = facts.end !== undefined;
  const line = trouble && !isEnd ? texts[trouble] : undefined;
  const wayOut = !durable ? texts.noStorage : inApp && !isEnd ? texts.inApp : undefined;
  setLine(byId("trouble"), line ?? wayOut);
  const expires = facts.token === undefined ? undefined : readClaims(facts.token)["exp"];
  const canKeep = view.canLeave && durable && typeof expires === "number";
  setLine(
    byId("kept"),
    canKeep ? fill(texts.keptUntil, { time: format.dateTime(expires * 1000) }) : undefined,
  );
  const seconds =
    facts.heardAt === undefined ? undefined : Math.round((now - facts.heardAt) / 1000);
  const relative = new Intl.RelativeTimeFormat(format.locale, { numeric: "auto" });
  // In steps of five, so that the eye is not drawn to a line that only counts.
  const steps = seconds === undefined ? 0 : seconds < 60 ? Math.floor(seconds / 5) * 5 : seconds;
  const ago =
    steps < 90
      ? relative.format(-steps, "second")
      : relative.format(-Math.round(steps / 60), "minute");
  setLine(byId("heard"), seconds === undefined || isEnd ? undefined : fill(texts.heard, { ago }));
  setText(byId("real"), fill(texts.real, { host: location.host }));
}

/** Screen readers hear of a change of state at once, and of progress once a minute. */
const LIVE_MS = 60_000;
let spoken = { screen: "", at: 0 };

function speak(view: View, headline: string, { texts, format }: Drawing, now: number): void {
  if (view.screen === "loading") return;
  if (view.screen === spoken.screen && now - spoken.at < LIVE_MS) return;
  spoken = { screen: view.screen, at: now };
  const parts = [headline];
  if (view.number !== undefined) parts.push(`${texts.yourNumber}: ${format.number(view.number)}`);
  if (view.ahead !== undefined && view.ahead > 0)
    parts.push(`${texts.aheadLabel}: ${format.plural(texts.ahead, view.ahead)}`);
  setText(byId("live"), parts.join(". "));
}

/** In an open room, and in a draw, the reason is a code of the gate's; people's own words come with a pause. */
function reasonOf({ facts: { status }, texts, format }: Drawing): string | undefined {
  if (status?.phase === "open") return undefined;
  if (status?.phase !== "drawing") return status?.reason;
  const { round, at, without } = status.pool.beacon ?? {};
  if (round === undefined || at === undefined || without || status.pool.seed) return undefined;
  return fill(texts.awaitingBeacon, { round: format.number(round), time: format.timeOfDay(at) });
}

export function render(drawing: Drawing): View {
  const { facts, texts, format } = drawing;
  const now = serverNow();
  const view = decideView(facts, now);
  const [headline, body] = sayOf(view.screen, texts);
  const { status } = facts;
  byId("main").dataset["screen"] = view.screen;
  const name = status?.branding?.name ?? (view.screen === "unknown" ? "" : facts.event);
  setText(byId("name"), name);
  const { venue, startsAt, timeZone } = status?.branding ?? {};
  const when = startsAt === undefined ? undefined : format.dateTime(startsAt, timeZone);
  setLine(byId("when"), [venue, when].filter((part) => part !== undefined).join(" · "));
  setLine(byId("notice"), status?.notice);
  setText(byId("headline"), headline);
  const hasNumber = view.screen === "kept" && view.number !== undefined;
  setText(byId("body"), hasNumber ? texts.waiting[1] : body);
  setLine(byId("reason"), facts.end === undefined ? reasonOf(drawing) : undefined);
  showLooks(status?.branding, format.locale, view.screen);
  showBoard(view, drawing, now);
  showTicket(view, drawing);
  showFacts(view, drawing);
  showTiers(drawing);
  showActions(view, drawing);
  showCalm(view, drawing, now);
  speak(view, headline, drawing, now);
  const called = view.screen === "ready" || view.screen === "going";
  const mark = view.number === undefined ? texts.title : format.number(view.number);
  const icon = called ? "/called.svg" : "/favicon.svg";
  if (byId("icon").getAttribute("href") !== icon) byId("icon").setAttribute("href", icon);
  document.title = called ? `● ${texts.calledTitle}` : `${mark} · ${name || "Sıra"}`;
  return view;
}
