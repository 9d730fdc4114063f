// What `npm run deploy:edge` gives to wrangler: wrangler.toml, and for the hosts of PROXY_HOSTS what a
// person would forget. There the Worker has to run before any asset, or a page of ours would answer on
// somebody else's site, and each host has to lead to it.

/** Beside wrangler.toml, since the paths in it are relative; ignored by git. */
export const DEPLOYED_CONFIG = ".wrangler.deploy.toml";

const FIRST = /^run_worker_first = .*$/m;
const HOSTS = /^PROXY_HOSTS = "([^"]*)"$/m;
const ASSETS = /^\[assets\]$/m;

/** Pure: the text to deploy. */
export function deploymentOf(source: string): string {
  const hosts = (HOSTS.exec(source)?.[1] ?? "")
    .split(",")
    .map((pair) => pair.trim().split("=")[0] ?? "")
    .filter((host) => host !== "");
  if (hosts.length === 0) return source;
  if (!FIRST.test(source) || !ASSETS.test(source))
    throw new Error("wrangler.toml must have [assets] with run_worker_first");
  const routes = hosts.map((host) => `{ pattern = "${host}", custom_domain = true }`);
  return source
    .replace(FIRST, "run_worker_first = true")
    .replace(ASSETS, `routes = [${routes.join(", ")}]\n\n[assets]`);
}
