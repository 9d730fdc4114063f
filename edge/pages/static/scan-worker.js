// Serves the scanner's page from the phone while there is no network. The page fills the cache
// (edge/pages/scan/shell.ts); nothing that the page asks the core is ever answered from here.
const CACHE = "sira-scan";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function networkFirst(request, kept) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await (await caches.open(CACHE)).match(kept);
    if (found) return found;
    throw error;
  }
}

// The name of such a file changes with its contents.
const cacheFirst = async (request) =>
  (await (await caches.open(CACHE)).match(request)) ?? fetch(request);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(networkFirst(request, "/scan/"));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(cacheFirst(request));
  else if (url.pathname === "/api/config") event.respondWith(networkFirst(request, "/api/config"));
});
