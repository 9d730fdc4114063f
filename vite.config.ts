import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { type ForeignScripts, headersFile, PAGES, redirectsFile } from "./edge/pages/delivery.ts";
import { STRIPE_SCRIPT } from "./shared/stripe-script.ts";
import { TURNSTILE_SCRIPT } from "./shared/turnstile-script.ts";

const root = resolve(import.meta.dirname, "edge/pages");

/** Writes the two files by which a static host learns our headers and rewrites. */
function deliveryFiles(coreOrigin: string, foreign: ForeignScripts): Plugin {
  return {
    name: "sira-delivery-files",
    generateBundle() {
      const headers = headersFile(coreOrigin, foreign);
      this.emitFile({ type: "asset", fileName: "_headers", source: headers });
      this.emitFile({ type: "asset", fileName: "_redirects", source: redirectsFile() });
    },
  };
}

/**
 * Code of a page that is fetched when it is wanted brings its style sheet along. Vite's own loader can
 * do more than that, and weighs as much as a page of text.
 */
function smallLoader(): Plugin {
  const PRELOAD = `
    const linked = new Map();
    const link = (href) => new Promise((done, fail) => {
      const element = document.createElement("link");
      element.rel = "stylesheet";
      element.href = "/" + href;
      element.onload = done;
      element.onerror = () => { linked.delete(href); element.remove(); fail(new Error(href)); };
      document.head.append(element);
    });
    export const __vitePreload = (load, sheets = []) =>
      Promise.all(sheets.filter((href) => href.endsWith(".css")).map((href) => {
        if (!linked.has(href)) linked.set(href, link(href));
        return linked.get(href);
      })).then(load);
  `;
  return {
    name: "sira-small-loader",
    enforce: "pre",
    load: (id) => (id === "\0vite/preload-helper.js" ? PRELOAD : null),
  };
}

// The pages speak to the core across origins, and the Content-Security-Policy must name it, so the
// build knows CORE_ORIGIN, by STRIPE_PUBLISHABLE_KEY whether cards are taken with Stripe, and by
// TURNSTILE_SITE_KEY whether rooms may ask for its check. Servers that learn this later (development,
// tests) write `_headers` again.
const isSet = (name: string) => (process.env[name] ?? "") !== "";
const foreign: ForeignScripts = {
  ...(isSet("STRIPE_PUBLISHABLE_KEY") ? { stripe: STRIPE_SCRIPT } : {}),
  ...(isSet("TURNSTILE_SITE_KEY") ? { turnstile: TURNSTILE_SCRIPT } : {}),
};

export default defineConfig({
  root,
  base: "/",
  publicDir: resolve(root, "static"),
  plugins: [
    smallLoader(),
    deliveryFiles(process.env["CORE_ORIGIN"] ?? "http://127.0.0.1:8788", foreign),
  ],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(root, "../public"),
    emptyOutDir: true,
    target: "es2022",
    // Inline scripts and data URLs would need holes in the policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every page needs is one file: each further one costs a round trip.
        codeSplitting: {
          groups: [
            {
              name: "kit",
              test: /preload-helper|rolldown.runtime|pages.kit.(?:base64url|clock|dom|i18n|api|store|proof|digits|human-answer|language-switch|line-cache)\.ts/,
            },
          ],
        },
      },
      input: Object.fromEntries(PAGES.map((page) => [page, resolve(root, page, "index.html")])),
    },
  },
});
