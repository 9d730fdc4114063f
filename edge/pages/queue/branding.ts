import type { Branding, BrandingTexts } from "../../../shared/contract/queue.ts";
import { byId, make, setLine } from "../kit/dom.ts";

/** How the organizer's room looks: a picture, two colours, links and sentences, all of them plain text. */

const COLOUR = /^#[0-9a-f]{6}$/i;
const INK = "#10201a";

/** WCAG 2.2, relative luminance of `#rrggbb`. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Dark or light, whichever reads better: one of the two always has enough contrast. */
const inkOn = (colour: string): string =>
  contrast(colour, INK) >= contrast(colour, "#ffffff") ? INK : "#ffffff";

const textsOf = (branding: Branding, language: string): BrandingTexts =>
  branding.texts?.[language.slice(0, 2)] ?? {};

const isOwn = (path: string): boolean => /^(?:\/(?!\/)|data:image\/(?:png|jpeg|webp);)/.test(path);
const isWeb = (href: string): boolean => /^https:\/\//.test(href);

function paint(branding: Branding): void {
  const { style } = document.documentElement;
  for (const [name, ink, colour] of [
    ["--brand", "--on-brand", branding.accent],
    ["--paper", "--paper-ink", branding.paper],
  ] as const) {
    if (colour === undefined || !COLOUR.test(colour)) {
      style.removeProperty(name);
      style.removeProperty(ink);
    } else {
      style.setProperty(name, colour);
      style.setProperty(ink, inkOn(colour));
    }
  }
  if (branding.paper === undefined) style.removeProperty("--paper-muted");
  else style.setProperty("--paper-muted", inkOn(branding.paper));
}

function showBranding(branding: Branding): void {
  paint(branding);
  const logo = byId("logo") as HTMLImageElement;
  const source = branding.logo !== undefined && isOwn(branding.logo) ? branding.logo : "";
  logo.hidden = source === "";
  if (source !== "" && logo.getAttribute("src") !== source) logo.src = source;
  const links = [...(branding.link ? [branding.link] : []), ...(branding.links ?? [])];
  const list = byId("links");
  list.hidden = links.length === 0;
  const shown = JSON.stringify(links);
  if (list.dataset["shown"] === shown) return;
  list.dataset["shown"] = shown;
  list.replaceChildren(
    ...links
      .filter(({ href }) => isWeb(href))
      .map(({ href, text }) =>
        make("a", { text, attributes: { href, rel: "noopener nofollow", target: "_blank" } }),
      ),
  );
}

/** The organizer's own sentence for where the sale stands now. */
function showOwnWords(texts: BrandingTexts, screen: string): void {
  const line =
    screen === "sold_out" || screen === "too_late"
      ? texts.soldOut
      : screen === "closed"
        ? texts.closed
        : texts.welcome;
  setLine(byId("own"), line);
}

export function dress(branding: Branding, language: string, screen: string): void {
  showBranding(branding);
  showOwnWords(textsOf(branding, language), screen);
}
