import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { headersFile, PAGES, redirectsFile } from "./edge/pages/delivery.ts";

const root = resolve(import.meta.dirname, "edge/pages");

/** Writes the two files by which a static host learns our headers and rewrites. */
function deliveryFiles(coreOrigin: string): Plugin {
  return {
    name: "sira-delivery-files",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "_headers", source: headersFile(coreOrigin) });
      this.emitFile({ type: "asset", fileName: "_redirects", source: redirectsFile() });
    },
  };
}

// The pages speak to the core across origins, and the Content-Security-Policy must name it, so the
// build knows CORE_ORIGIN. Servers that learn it later (development, tests) write `_headers` again.
export default defineConfig({
  root,
  base: "/",
  publicDir: resolve(root, "static"),
  plugins: [deliveryFiles(process.env["CORE_ORIGIN"] ?? "http://127.0.0.1:8788")],
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
      input: Object.fromEntries(PAGES.map((page) => [page, resolve(root, page, "index.html")])),
    },
  },
});
