// The Worker in front of the gate on bare workerd: static files first, everything else to the gate,
// in the order that Cloudflare itself has. Run once more without a gate, it is the ASSETS binding.
import { type AssetManifest, decideAsset, decideHeaders } from "./static-rules.ts";

interface Fetcher {
  fetch(request: Request | string): Promise<Response>;
}

interface FrontEnv {
  readonly FILES: Fetcher;
  readonly GATE?: Fetcher;
  readonly MANIFEST: AssetManifest;
  readonly PROXY_HOSTS: readonly string[];
}

export default {
  async fetch(request: Request, env: FrontEnv): Promise<Response> {
    // On a proxied site's own host the gate decides first: a page of ours must not stand in for its.
    if (env.GATE && env.PROXY_HOSTS.includes(new URL(request.url).host.toLowerCase()))
      return await env.GATE.fetch(request);
    const asset = await serveAsset(request, env);
    return asset ?? env.GATE?.fetch(request) ?? new Response(null, { status: 404 });
  },
};

async function serveAsset(request: Request, env: FrontEnv): Promise<Response | undefined> {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const { pathname, search } = new URL(request.url);
  const verdict = decideAsset(env.MANIFEST, decodePath(pathname));
  if (verdict.kind === "none") return undefined;
  if (verdict.kind === "redirect") {
    const headers = { location: verdict.to + search };
    return new Response(null, { status: verdict.status, headers });
  }
  const headers = new Headers({
    "content-type": verdict.asset.type,
    "cache-control": "public, max-age=0, must-revalidate",
    etag: verdict.asset.etag,
  });
  for (const [name, value] of decideHeaders(env.MANIFEST, pathname)) headers.set(name, value);
  if (matchesEtag(request.headers.get("if-none-match"), verdict.asset.etag)) {
    return new Response(null, { status: 304, headers });
  }
  if (request.method === "HEAD") return new Response(null, { headers });
  const coding = chooseCoding(request.headers.get("accept-encoding"), verdict.asset.type);
  if (coding !== undefined) headers.set("content-encoding", coding);
  headers.set("vary", "accept-encoding");
  const file = await env.FILES.fetch(`http://files${encodeURI(verdict.path)}`);
  // The runtime compresses what is said to be compressed.
  return new Response(file.body, { status: file.status, headers });
}

const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json|manifest\+json)|image\/svg)/;

/** As a CDN does it; a client that names neither gets the file as it is. */
function chooseCoding(accepted: string | null, type: string): "br" | "gzip" | undefined {
  if (!COMPRESSIBLE.test(type)) return undefined;
  const names = (accepted ?? "").split(",").map((part) => part.trim());
  const isTaken = (name: string) =>
    names.some(
      (part) => part === name || (part.startsWith(`${name};`) && !/q=0(?:\.0*)?$/.test(part)),
    );
  if (isTaken("br")) return "br";
  return isTaken("gzip") ? "gzip" : undefined;
}

function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((value) => value.trim().replace(/^W\//, "") === etag);
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
