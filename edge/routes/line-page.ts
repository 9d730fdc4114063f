import { type LineLanguage, wordsOf } from "./line-words.ts";

/** The plain page itself: no script, nothing fetched, nothing that a setting could turn into markup. */
const REFRESH_S_MIN = 2;
const REFRESH_S_MAX = 60;

/** Text, or one figure that is to be read at arm's length. */
export type PageLine = string | { big: string };

export function linePage(more: {
  event: string;
  language: LineLanguage;
  lines: readonly PageLine[];
  /** Look again by itself. */
  refreshMs?: number;
  join?: boolean;
  continueTo?: string;
}): Response {
  const { event, language, lines, refreshMs, continueTo } = more;
  const words = wordsOf(language);
  const form = more.join
    ? `<form method="post" action="/api/queue/${event}/line"><button>${words.join}</button></form>`
    : "";
  const link =
    continueTo === undefined
      ? ""
      : `<p><a class="go" href="${escapeText(continueTo)}">${words.goOn}</a></p>`;
  // The nonce lets this one style element in, and nothing that a setting brought along.
  const nonce = crypto.randomUUID();
  const body = `<!doctype html>
<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<style nonce="${nonce}">${STYLE}</style>
<main>
<h1>${words.title}</h1>
${lines.map(renderLine).join("\n")}
${link}${form}
</main>
</html>
`;
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    vary: "accept-language",
    "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  });
  if (refreshMs !== undefined) {
    const seconds = Math.ceil(refreshMs / 1_000);
    headers.set("refresh", String(Math.min(REFRESH_S_MAX, Math.max(REFRESH_S_MIN, seconds))));
  }
  return new Response(body, { headers });
}

/** A paper slip on a quiet ground, in light and dark, as the queue page has it. */
const STYLE = `
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  background: light-dark(#f3efe6, #16181d); color: light-dark(#1d1b16, #f1ede4); }
main { box-sizing: border-box; width: min(22rem, calc(100vw - 4rem)); padding: 2rem; border-radius: 0.75rem; text-align: center;
  background: light-dark(#fffdf8, #22252c); box-shadow: 0 1px 3px #0003, 0 12px 32px #0002;
  border-top: 0.4rem dashed light-dark(#f3efe6, #16181d); }
h1 { margin: 0 0 1rem; font-size: 1rem; letter-spacing: 0.08em; text-transform: uppercase; opacity: 0.75; }
p { margin: 0.5rem 0; }
.big { font-size: 2rem; font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.25; }
button, .go { display: inline-block; margin-top: 1rem; padding: 0.75rem 1.5rem; border: 0; border-radius: 0.5rem;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
  background: light-dark(#8f1d21, #ffb4a8); color: light-dark(#fff, #3b0a0b); }
:focus-visible { outline: 3px solid currentColor; outline-offset: 3px; }
`;

const renderLine = (line: PageLine): string =>
  typeof line === "string"
    ? `<p>${escapeText(line)}</p>`
    : `<p class="big">${escapeText(line.big)}</p>`;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? "");
