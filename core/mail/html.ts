/** HTML for mails: what goes into `html` is escaped, unless it came out of `html` itself. */

class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

type Part = string | number | Markup | readonly Markup[] | undefined;

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

function textOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string") return escapeText(part);
  if (typeof part === "number") return String(part);
  return part.map(({ text }) => text).join("");
}

export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(
    strings.map((text, i) => (i === 0 ? text : textOf(parts[i - 1]) + text)).join(""),
  );
}

const STYLE = `
  body { margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #1c1917; background: #f5f3ee; }
  main { max-width: 560px; margin: 0 auto; padding: 24px; background: #fff; border-radius: 12px; }
  h1 { font-size: 22px; line-height: 1.25; margin: 0 0 8px; }
  .ticket { border-top: 1px dashed #a8a29e; padding: 16px 0; }
  .ticket img { display: block; margin: 8px 0; width: 220px; height: 220px; }
  a.button { display: inline-block; padding: 10px 18px; border-radius: 8px; background: #9f1239; color: #fff; text-decoration: none; }
  .small { font-size: 13px; color: #57534e; }
  .code { font: 700 32px/1.2 ui-monospace, monospace; letter-spacing: .2em; direction: ltr; }`;

/** A whole document. No script and no outside reference: pictures travel with the mail. */
export const mailDocument = (input: {
  language: string;
  direction: "ltr" | "rtl";
  title: string;
  body: Markup;
}): string =>
  html`<!doctype html>
<html lang="${input.language}" dir="${input.direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${input.title}</title>
<style>${new Markup(STYLE)}</style></head><body><main>${input.body}</main></body></html>
`.text;
