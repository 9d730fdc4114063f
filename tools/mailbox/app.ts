// The mailbox in a browser: every mail with its HTML part, its plain part and its attachments.
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { KeptMail } from "./server.ts";

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:2rem auto;padding:0 1rem}td,th{padding:.3rem .8rem .3rem 0;text-align:start}
iframe{width:100%;height:60vh;border:1px solid #8886;border-radius:.5rem;background:#fff}
pre{white-space:pre-wrap;background:#8882;padding:1rem;border-radius:.5rem}`;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body>${body}</body></html>`;

const textPart = (mail: KeptMail, type: string) =>
  mail.parts.find((part) => part.type === type && part.filename === undefined);

export function createMailboxApp(mails: () => readonly KeptMail[], clear: () => void): Hono {
  const app = new Hono();
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        imgSrc: ["'self'"],
        styleSrc: ["'unsafe-inline'"],
        frameSrc: ["'self'"],
      },
    }),
  );
  const find = (c: Context): KeptMail | undefined =>
    mails().find(({ id }) => String(id) === c.req.param("id"));

  app.get("/", (c) => {
    const rows = mails()
      .toReversed()
      .map(
        (mail) => `<tr><td>${escapeHtml(mail.at)}</td><td>${escapeHtml(mail.to.join(", "))}</td>
<td><a href="/mails/${mail.id}">${escapeHtml(mail.subject)}</a></td></tr>`,
      );
    const body = `<h1>Mailbox</h1><p>Mails of this development system; none leaves this machine.</p>
<table><tr><th>Time</th><th>To</th><th>Subject</th></tr>${rows.join("")}</table>`;
    return c.html(page("Mailbox", body));
  });

  app.get("/mails.json", (c) =>
    c.json({
      mails: mails().map((mail) => ({
        id: mail.id,
        at: mail.at,
        to: mail.to,
        from: mail.from,
        subject: mail.subject,
        messageId: mail.messageId,
        requestId: mail.headers.get("x-request-id") ?? null,
        text: textPart(mail, "text/plain")?.content.toString("utf8") ?? "",
        attachments: mail.parts.flatMap(({ filename }) => (filename ? [filename] : [])),
      })),
    }),
  );
  app.delete("/mails", (c) => {
    clear();
    return c.body(null, 204);
  });

  app.get("/mails/:id", (c) => {
    const mail = find(c);
    if (mail === undefined) return c.notFound();
    const files = mail.parts.flatMap((part, n) =>
      part.filename === undefined
        ? []
        : [`<li><a href="/mails/${mail.id}/parts/${n}">${escapeHtml(part.filename)}</a></li>`],
    );
    const plain = textPart(mail, "text/plain")?.content.toString("utf8") ?? "";
    const body = `<p><a href="/">All mails</a> · <a href="/mails/${mail.id}/source">source</a></p>
<h1>${escapeHtml(mail.subject)}</h1><p>${escapeHtml(mail.from)} → ${escapeHtml(mail.to.join(", "))}<br>
${escapeHtml(mail.at)} · ${escapeHtml(mail.messageId)}</p>
<iframe sandbox="allow-popups" title="HTML part" src="/mails/${mail.id}/html"></iframe>
<h2>Plain part</h2><pre>${escapeHtml(plain)}</pre><h2>Attachments</h2><ul>${files.join("")}</ul>`;
    return c.html(page(mail.subject, body));
  });

  app.get("/mails/:id/html", (c) => {
    const mail = find(c);
    const part = mail && textPart(mail, "text/html");
    if (mail === undefined || part === undefined) return c.notFound();
    const html = part.content.toString("utf8").replace(/cid:([^"'\s>]+)/g, (whole, cid: string) => {
      const n = mail.parts.findIndex((one) => one.cid === cid);
      return n < 0 ? whole : `/mails/${mail.id}/parts/${n}`;
    });
    return c.html(html);
  });

  app.get("/mails/:id/text", (c) => {
    const mail = find(c);
    const part = mail && textPart(mail, "text/plain");
    return part === undefined ? c.notFound() : c.text(part.content.toString("utf8"));
  });

  app.get("/mails/:id/source", (c) => {
    const mail = find(c);
    return mail === undefined ? c.notFound() : c.text(mail.source);
  });

  app.get("/mails/:id/parts/:n", (c) => {
    const part = find(c)?.parts[Number(c.req.param("n"))];
    if (part === undefined) return c.notFound();
    // What a mail brings along is looked at, never run: only pictures keep their type.
    const type = part.type.startsWith("image/png") ? part.type : "text/plain; charset=utf-8";
    return c.body(new Uint8Array(part.content), 200, { "content-type": type });
  });
  return app;
}
