import { describe, expect, test } from "vitest";
import {
  type AssetManifest,
  decideAsset,
  decideHeaders,
  parseHeaders,
  parseRedirects,
} from "../../tools/gate/static-rules.ts";

const asset = { etag: '"e"', type: "text/html" };
const manifest: AssetManifest = {
  files: {
    "/index.html": asset,
    "/queue/index.html": asset,
    "/about.html": asset,
    "/assets/app.js": asset,
  },
  redirects: parseRedirects("# pages\n/e/* /queue/ 200\n/old/:id /e/:id 301\n/gone /about\n"),
  headers: parseHeaders(
    "/*\n  X-Frame-Options: DENY\n  Vary: a\n/assets/*\n  Cache-Control: immutable\n  Vary: b\n  ! X-Frame-Options\n",
  ),
};

describe("static files", () => {
  test("a folder is answered by its index", () => {
    expect(decideAsset(manifest, "/")).toMatchObject({ kind: "file", path: "/index.html" });
    expect(decideAsset(manifest, "/queue/")).toMatchObject({ path: "/queue/index.html" });
  });

  test("a rewrite answers under the address that was asked for", () => {
    expect(decideAsset(manifest, "/e/any-event")).toMatchObject({ path: "/queue/index.html" });
  });

  test("a redirect carries the named part on", () => {
    const verdict = { kind: "redirect", to: "/e/7", status: 301 };
    expect(decideAsset(manifest, "/old/7")).toEqual(verdict);
    expect(decideAsset(manifest, "/gone")).toEqual({ kind: "redirect", to: "/about", status: 302 });
  });

  test("every page has one address", () => {
    const to = (path: string) => ({ kind: "redirect", to: path, status: 307 });
    expect(decideAsset(manifest, "/queue")).toEqual(to("/queue/"));
    expect(decideAsset(manifest, "/queue/index.html")).toEqual(to("/queue/"));
    expect(decideAsset(manifest, "/about.html")).toEqual(to("/about"));
    expect(decideAsset(manifest, "/about")).toMatchObject({ path: "/about.html" });
  });

  test("what is no file is nobody's, whatever JavaScript's objects are born with", () => {
    for (const path of ["/nothing", "/constructor", "/__proto__", "/toString"]) {
      expect(decideAsset(manifest, path)).toEqual({ kind: "none" });
    }
  });
});

describe("headers of static files", () => {
  test("rules add up, and a rule can take one away", () => {
    expect(Object.fromEntries(decideHeaders(manifest, "/assets/app.js"))).toEqual({
      "cache-control": "immutable",
      vary: "a, b",
    });
    expect(Object.fromEntries(decideHeaders(manifest, "/"))).toEqual({
      "x-frame-options": "DENY",
      vary: "a",
    });
  });

  test("a line that is neither path nor header is refused", () => {
    expect(() => parseHeaders("  X-A: 1")).toThrow("before any path");
    expect(() => parseHeaders("/*\n  nonsense")).toThrow("neither");
  });
});
