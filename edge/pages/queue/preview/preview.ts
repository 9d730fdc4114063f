import "./preview.css";
import type { Branding, StatusDocument } from "../../../../shared/contract/queue.ts";
import { call } from "../../kit/api.ts";
import { serverNow } from "../../kit/clock.ts";
import { byId, make } from "../../kit/dom.ts";
import { isLanguage, type Language } from "../../kit/i18n.ts";
import type { Facts } from "../facts.ts";
import type { Drawing } from "../render.ts";
import { statesAt } from "./states.ts";

/**
 * `/preview`: the page in each of its states, with the looks of a room (`?event=`) and whatever is tried
 * in the form beside it. Nothing is taken from the address but names of a room, a state and a language,
 * so that nobody can make this address say words of theirs.
 */

type Changes = Partial<Pick<Drawing, "durable" | "inApp">>;
type Page = {
  show(facts: Facts, changes: Changes): void;
  speak(language: Language): Promise<void>;
};

const PICTURE_BYTES_MAX = 9_000;
const COLOURS = [
  ["accent", "#0b5d49"],
  ["paper", "#c9ebdc"],
] as const;

async function brandingOf(event: string | null): Promise<Branding> {
  if (event === null) return {};
  const reply = await call<StatusDocument>(`/api/queue/${encodeURIComponent(event)}/status`);
  return reply.kind === "ok" ? (reply.data.branding ?? {}) : {};
}

function readPicture(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : undefined);
    reader.onerror = () => resolve(undefined);
    reader.readAsDataURL(file);
  });
}

/** The organizer's tool, and so in English like the settings it writes. */
function makeForm(own: Branding, onChange: (changes: Branding) => void): HTMLElement {
  const field = (label: string, input: HTMLElement) =>
    make("label", {}, make("span", { text: label }), input);
  const text = (key: "name" | "venue", value = "") => {
    const input = make("input", { attributes: { value, maxlength: "120" } });
    input.addEventListener("input", () => onChange({ [key]: input.value }));
    return input;
  };
  const colours = COLOURS.map(([key, first]) => {
    const input = make("input", { attributes: { type: "color", value: own[key] ?? first } });
    input.addEventListener("input", () => onChange({ [key]: input.value }));
    return field(key === "accent" ? "Buttons" : "Ticket", input);
  });
  const picture = make("input", {
    attributes: { type: "file", accept: "image/png,image/jpeg,image/webp" },
  });
  picture.addEventListener("change", async () => {
    const [file] = picture.files ?? [];
    const isLarge = file !== undefined && file.size > PICTURE_BYTES_MAX;
    picture.setCustomValidity(isLarge ? `At most ${PICTURE_BYTES_MAX} bytes` : "");
    if (!picture.reportValidity() || !file) return;
    const logo = await readPicture(file);
    if (logo !== undefined) onChange({ logo });
  });
  return make(
    "div",
    { className: "preview-form" },
    field("Name", text("name", own.name)),
    field("Venue", text("venue", own.venue)),
    ...colours,
    field("Logo", picture),
  );
}

/** The console shows this page inside itself, and says what the looks are that it has not saved yet. */
function hearConsole(onLooks: (branding: Branding) => void): void {
  if (parent === window) return;
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== location.origin || source !== parent) return;
    if (typeof data?.branding === "object") onLooks(data.branding);
  });
  parent.postMessage({ preview: "ready" }, location.origin);
}

export async function startPreview(page: Page): Promise<void> {
  const query = new URLSearchParams(location.search);
  let branding: Branding = await brandingOf(query.get("event"));
  const states = statesAt(serverNow());
  const select = make("select", { attributes: { "aria-label": "State" } });
  select.append(...Object.keys(states).map((name) => make("option", { text: name })));
  const result = make("textarea", {
    attributes: { readonly: "", "aria-label": "branding", rows: "3" },
  });
  const show = () => {
    const n = Number(new URLSearchParams(location.hash.slice(1)).get("n") ?? "1240");
    const shown = statesAt(serverNow(), n)[select.value];
    if (!shown) return;
    const { facts, changes = {} } = shown;
    const status = facts.status && {
      ...facts.status,
      branding: { ...facts.status.branding, ...branding },
    };
    page.show(status ? { ...facts, status } : facts, { durable: true, inApp: false, ...changes });
    result.value = JSON.stringify({ branding });
    document.documentElement.dataset["shown"] = location.hash;
  };
  const follow = async () => {
    const hash = new URLSearchParams(location.hash.slice(1));
    const [state, language] = [hash.get("state"), hash.get("language") ?? ""];
    if (state !== null && state in states) select.value = state;
    if (isLanguage(language)) await page.speak(language);
    show();
  };
  select.addEventListener("change", show);
  addEventListener("hashchange", () => void follow());
  if (!query.has("bare")) {
    const form = makeForm(branding, (changes) => {
      branding = { ...branding, ...changes };
      show();
    });
    const bar = make("details", { className: "wrap preview", attributes: { open: "" } });
    bar.append(make("summary", { text: "Preview" }), select, form, result);
    byId("main").before(bar);
  }
  await follow();
  hearConsole((looks) => {
    branding = looks;
    show();
  });
}
