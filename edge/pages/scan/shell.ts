/**
 * The page itself, kept on the phone: a door without a network may have to open its browser again.
 * `scan-worker.js` serves what lies in this cache.
 */

const CACHE = "sira-scan";

/** Everything this visit has fetched; what an older build left behind is dropped. */
export async function keepShell(): Promise<void> {
  try {
    await navigator.serviceWorker.register("/scan-worker.js", { scope: "/scan/" });
    const fetched = performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(
        ({ origin, pathname }) =>
          origin === location.origin && /^\/(assets\/|favicon)/.test(pathname),
      )
      .map(({ pathname }) => pathname);
    const wanted = ["/scan/", "/api/config", ...new Set(fetched)];
    const cache = await caches.open(CACHE);
    await cache.addAll(wanted);
    for (const request of await cache.keys())
      if (!wanted.includes(new URL(request.url).pathname)) await cache.delete(request);
  } catch {
    // Without a cache the open page still works offline; only opening it anew does not.
  }
}
