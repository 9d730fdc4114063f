/** The plain page itself: no script, nothing fetched, nothing that a setting could turn into markup. */
const REFRESH_S_MIN = 2;
const REFRESH_S_MAX = 60;

export function linePage(more: {
  event: string;
  lines: readonly string[];
  /** Look again by itself. */
  refreshMs?: number;
  join?: boolean;
  continueTo?: string;
}): Response {
  const { event, lines, refreshMs, continueTo } = more;
  const form = more.join
    ? `<form method="post" action="/api/queue/${event}/line"><button>Join the line</button></form>`
    : "";
  const link =
    continueTo === undefined
      ? ""
      : `<p><a href="${escapeText(continueTo)}">Go on to the shop</a></p>`;
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>The line</title>
<main>
<h1>The line</h1>
${lines.map((line) => `<p>${escapeText(line)}</p>`).join("\n")}
${link}${form}
</main>
</html>
`;
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  });
  if (refreshMs !== undefined) {
    const seconds = Math.ceil(refreshMs / 1_000);
    headers.set("refresh", String(Math.min(REFRESH_S_MAX, Math.max(REFRESH_S_MIN, seconds))));
  }
  return new Response(body, { headers });
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? "");
