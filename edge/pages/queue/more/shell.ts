import { LINE_CACHE } from "../../kit/line-cache.ts";

/**
 * The page itself, kept on the phone, so that it opens without a network and says honestly that there is
 * none. `line-worker.js` serves what lies in this cache.
 */

const ENTRIES_MAX = 80;

export async function keepShell(): Promise<void> {
  try {
    await navigator.serviceWorker.register("/line-worker.js", { scope: "/e/" });
    const fetched = performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(
        ({ origin, pathname }) =>
          origin === location.origin && /^\/assets\/|^\/\w+\.svg$/.test(pathname),
      )
      .map(({ pathname }) => pathname);
    const cache = await caches.open(LINE_CACHE);
    // The page as it has just come: its copy costs no second way over the network.
    const page = await fetch(location.pathname, { cache: "force-cache" });
    if (page.ok) await cache.put("/queue/", page);
    await cache.addAll([...new Set(fetched)]);
    const entries = await cache.keys();
    // What older builds left behind goes first: entries stand in the order in which they came.
    for (const request of entries.slice(0, Math.max(0, entries.length - ENTRIES_MAX)))
      await cache.delete(request);
  } catch {
    // Without a cache an open page still works offline; only opening it anew does not.
  }
}
