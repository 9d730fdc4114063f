import { METHOD_NAME_ALL } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** Which methods a path answers to, so that a wrong one is 405 with `Allow` and not 404. */
export function methodsOf(routes: readonly { path: string; method: string }[]) {
  const router = new TrieRouter<string>();
  for (const { path, method } of routes)
    if (method !== METHOD_NAME_ALL) router.add(METHOD_NAME_ALL, path, method);
  return (path: string): string[] => {
    const [found] = router.match(METHOD_NAME_ALL, path);
    return [...new Set(found.map(([method]) => method))].sort();
  };
}
