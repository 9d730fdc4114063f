/**
 * `/docs`: the OpenAPI document as one readable page, made on the server. No script, no other host.
 */

type Operation = {
  summary?: string;
  description?: string;
  requestBody?: { content: Content };
  responses?: Record<string, { description?: string; content?: Content }>;
};
type Content = Record<string, { schema?: unknown; example?: unknown }>;
type Document = {
  info: { title: string; version: string; description?: string };
  paths?: Record<string, Record<string, Operation>>;
};

const METHODS = ["get", "put", "post", "patch", "delete"] as const;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  article { border-top: 1px solid #8886; padding: .75rem 0; }
  h2 { font: 600 1.05rem ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
  pre { overflow: auto; background: #8882; padding: .75rem; border-radius: .4rem; font-size: .85rem; }
  dt { font-weight: 600; float: left; clear: left; width: 4rem; } dd { margin-left: 4.5rem; }`;

const pre = (value: unknown): string =>
  `<pre>${escapeHtml(typeof value === "string" ? value : JSON.stringify(value, null, 2))}</pre>`;

/** An example as it is sent, and the schema for who wants to know all of it. */
function contentHtml(title: string, content: Content | undefined): string {
  return Object.entries(content ?? {})
    .map(([type, { example, schema }]) => {
      const shown = example === undefined ? "" : pre(example);
      const whole = `<details><summary>schema</summary>${pre(schema ?? {})}</details>`;
      return `<details><summary>${escapeHtml(`${title} ${type}`)}</summary>${shown}${whole}</details>`;
    })
    .join("");
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const answers = Object.entries(operation.responses ?? {})
    .map(
      ([status, { description = "", content }]) =>
        `<dt>${escapeHtml(status)}</dt><dd>${escapeHtml(description)}${
          Number(status) < 400 ? contentHtml("Example", content) : ""
        }</dd>`,
    )
    .join("");
  return `<article><h2>${method.toUpperCase()} ${escapeHtml(path)}</h2>
<p>${escapeHtml(operation.summary ?? operation.description ?? "")}</p>${contentHtml(
    "Body",
    operation.requestBody?.content,
  )}<dl>${answers}</dl></article>`;
}

export function docsPage(document: Document): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [operationHtml(method, path, operation)] : [];
    }),
  );
  const { title, version, description = "" } = document.info;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head><body><h1>${escapeHtml(title)} ${escapeHtml(version)}</h1>
<p>${escapeHtml(description)} <a href="/openapi.json">openapi.json</a></p>
${operations.join("\n")}</body></html>`;
}
