/** Finds what the page's own HTML promises; its absence is a bug in the page. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Writes only what differs, so that screen readers and selections are left in peace. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** An element without text is hidden: empty boxes are never announced or drawn. */
export function setLine(element: HTMLElement, text: string | undefined): void {
  const hidden = text === undefined || text === "";
  if (element.hidden !== hidden) element.hidden = hidden;
  setText(element, text ?? "");
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: { className?: string; text?: string; attributes?: Record<string, string> } = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (options.className) element.className = options.className;
  if (options.text !== undefined) element.textContent = options.text;
  for (const [name, value] of Object.entries(options.attributes ?? {}))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The event a page speaks of: `/e/{event}`, `/shop/{event}`, `/verify/{event}`. */
export function idFromPath(): string {
  return decodeURIComponent(location.pathname.split("/")[2] ?? "");
}
