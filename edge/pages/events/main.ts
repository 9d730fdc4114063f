import type { EventView } from "../../../shared/contract/events.ts";
import { call } from "../kit/api.ts";
import { serverNow } from "../kit/clock.ts";
import { byId, make, setText } from "../kit/dom.ts";
import { applyLanguage, type Format, fill, formatFor, pickLanguage } from "../kit/i18n.ts";
import { languageSwitch } from "../kit/language-switch.ts";
import { loadAll } from "../kit/store.ts";
import { TEXTS } from "./texts.ts";

/** The front page: what is on, and the places and orders that this browser already has. */

type Mine = { event: string; number?: number; name?: string; end?: string };
type Page = { events: EventView[] | undefined; failed: boolean; places: Mine[]; orders: string[] };

const RETRY_MS = 5_000;
let language = pickLanguage();
let page: Page = { events: undefined, failed: false, places: [], orders: [] };

function dateStub(event: EventView, format: Format): HTMLElement {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(format.locale, { ...options, timeZone: event.timeZone }).format(
      new Date(event.startsAt),
    );
  return make(
    "div",
    { className: "date" },
    make("span", { text: part({ month: "short" }) }),
    make("b", { text: part({ day: "numeric" }) }),
    make("span", { text: part({ weekday: "short" }) }),
  );
}

function saleLine(event: EventView, format: Format): HTMLElement {
  const texts = TEXTS[language];
  const now = serverNow();
  const closes =
    event.saleClosesAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(event.saleClosesAt);
  const prices = event.zones.map((zone) => zone.price.amount);
  const from =
    prices.length === 0
      ? ""
      : ` · ${fill(texts.from, { price: format.money({ amount: Math.min(...prices), currency: event.currency }) })}`;
  if (now >= closes) return make("p", { className: "sale", text: texts.over });
  if (event.zones.length > 0 && event.zones.every((zone) => zone.soldOut))
    return make("p", { className: "sale", text: texts.soldOut });
  if (now >= Date.parse(event.saleOpensAt))
    return make("p", { className: "sale open", text: texts.onSale + from });
  const time = format.dateTime(event.saleOpensAt, event.timeZone);
  return make("p", { className: "sale", text: fill(texts.opens, { time }) });
}

function eventCard(event: EventView, format: Format): HTMLElement {
  const what = make(
    "div",
    { className: "what" },
    make("h3", { text: event.name }),
    make("p", { text: `${event.venue} · ${format.time(event.startsAt, event.timeZone)}` }),
    saleLine(event, format),
  );
  const href = `/e/${encodeURIComponent(event.id)}`;
  const link = make(
    "a",
    { className: "event", attributes: { href } },
    dateStub(event, format),
    what,
  );
  return make("li", {}, link);
}

function placeLine(place: Mine, format: Format): HTMLElement {
  const texts = TEXTS[language];
  const known = page.events?.find((event) => event.id === place.event);
  const mark =
    place.number === undefined
      ? texts.inPool
      : fill(texts.number, { n: format.number(place.number) });
  const href = `/e/${encodeURIComponent(place.event)}`;
  return make(
    "li",
    {},
    make(
      "a",
      { attributes: { href } },
      known?.name ?? place.name ?? place.event,
      make("b", { text: mark }),
    ),
  );
}

function orderLine(id: string): HTMLElement {
  const text = fill(TEXTS[language].order, { id: id.slice(-6) });
  const href = `/orders/${encodeURIComponent(id)}`;
  return make("li", {}, make("a", { attributes: { href } }, text));
}

function draw(): void {
  const texts = TEXTS[language];
  const format = formatFor(language);
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    const text: unknown = Reflect.get(texts, element.dataset["text"] ?? "");
    if (typeof text === "string") setText(element, text);
  }
  const { events, failed, places, orders } = page;
  const say = byId("say");
  say.hidden = events !== undefined && events.length > 0;
  if (events?.length === 0) setText(say, texts.empty);
  if (events === undefined && failed) setText(say, texts.noCore);
  byId("events").replaceChildren(...(events ?? []).map((event) => eventCard(event, format)));
  const mine = [...places.map((place) => placeLine(place, format)), ...orders.map(orderLine)];
  byId("mine").hidden = mine.length === 0;
  byId("places").replaceChildren(...mine);
}

async function readEvents(): Promise<void> {
  const reply = await call<{ events: EventView[] }>("/v1/events");
  if (reply.kind === "ok") page = { ...page, events: reply.data.events, failed: false };
  else {
    page = { ...page, failed: true };
    setTimeout(readEvents, RETRY_MS * (1 + Math.random()));
  }
  draw();
}

async function start(): Promise<void> {
  applyLanguage(language);
  languageSwitch(byId("language") as HTMLSelectElement, language, (next) => {
    language = next;
    draw();
  });
  draw();
  const kept = await loadAll<Mine>("place:");
  const orders = await loadAll<unknown>("order:");
  page = {
    ...page,
    places: kept.map(([, place]) => place).filter((place) => place.end === undefined),
    orders: orders.map(([key]) => key.slice("order:".length)),
  };
  await readEvents();
}

void start();
