import type { StatusDocument } from "../../../../shared/contract/queue.ts";
import { call } from "../../kit/api.ts";
import { make } from "../../kit/dom.ts";
import { type Format, fill } from "../../kit/i18n.ts";
import { loadAll } from "../../kit/store.ts";
import type { KeptPlace } from "../line.ts";
import { openDialog } from "./dialog.ts";
import type { MoreTexts } from "./texts/en.ts";

/** All lines in which this browser stands, with one look at each, on the person's press. */

const PLACES_MAX = 20;

async function lineOf(kept: KeptPlace, texts: MoreTexts, format: Format): Promise<string> {
  const path = `/api/queue/${encodeURIComponent(kept.event)}/status`;
  const reply = await call<StatusDocument>(path);
  if (kept.number === undefined || reply.kind !== "ok") return texts.placeUnknown;
  return fill(texts.placeLine, {
    number: format.number(kept.number),
    calling: format.number(reply.data.calling),
  });
}

export async function openPlaces(texts: MoreTexts, format: Format): Promise<void> {
  const kept = (await loadAll<KeptPlace>("place:"))
    .map(([, place]) => place)
    .filter(({ place, end }) => place !== undefined && end === undefined)
    .slice(0, PLACES_MAX);
  const rows = await Promise.all(
    kept.map(async (place) =>
      make(
        "li",
        {},
        make("a", {
          text: place.name ?? place.event,
          attributes: { href: `/e/${encodeURIComponent(place.event)}` },
        }),
        make("span", { text: await lineOf(place, texts, format) }),
      ),
    ),
  );
  openDialog(texts.placesTitle, [make("ul", { className: "places" }, ...rows)], {
    label: texts.close,
  });
}
