// Serves the queue page from the phone while there is no network, and shows what the gate pushes while
// no page is open. Nothing that the page asks the gate is ever answered from here, so that nothing kept
// can say "your turn". The page fills the cache (edge/pages/queue/more/shell.ts).
const CACHE = "sira-line";
const WORDS = "/line-words";
/** A network that does not answer by then is treated as none. */
const PATIENCE_MS = 4000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

const kept = async (key) => (await caches.open(CACHE)).match(key);

async function openPage(request) {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  const fetched = fetch(request);
  const first = await Promise.race([fetched.catch(() => undefined), patience]);
  if (first?.ok) return first;
  return (await kept("/queue/")) ?? first ?? fetched;
}

// The name of such a file changes with its contents.
async function openFile(request) {
  const found = await kept(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (url.pathname.startsWith("/assets/") || url.pathname.endsWith(".svg"))
    event.respondWith(openFile(request));
});

async function show(data) {
  let word = {};
  try {
    word = data?.json() ?? {};
  } catch {
    // Not ours; the browser wants something shown all the same.
  }
  const words = await (await kept(WORDS))?.json();
  const [title, body] = words?.[word.kind] ?? ["Sıra", ""];
  await self.registration.showNotification(title, {
    body: body.replace("{n}", word.number ?? ""),
    tag: `sira-${word.event ?? ""}`,
    renotify: true,
    requireInteraction: true,
    icon: "/favicon.svg",
    vibrate: [300, 150, 300, 150, 300],
    data: { path: /^[a-z0-9-]{1,64}$/.test(word.event ?? "") ? `/e/${word.event}` : "/" },
  });
}

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));

async function open(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === path);
  if (page) await page.focus();
  else await self.clients.openWindow(path);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? "/"));
});
