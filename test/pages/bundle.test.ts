// The built pages: what may be in them, how heavy they are, which headers they are sent with.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import {
  contentSecurityPolicy,
  headersFile,
  PAGES,
  redirectsFile,
} from "../../edge/pages/delivery.ts";
import { LANGUAGES } from "../../edge/pages/kit/i18n.ts";
import { STRIPE_SCRIPT } from "../../shared/stripe-script.ts";
import { TURNSTILE_SCRIPT } from "../../shared/turnstile-script.ts";
import { buildPages } from "../../tools/build.ts";
import { ASSETS_DIR } from "../../tools/gate/start-gate.ts";
import { decideHeaders, parseHeaders } from "../../tools/gate/static-rules.ts";

/** Everything that the first view of the queue page fetches, compressed. */
const QUEUE_BYTES_MAX = 20_000;

const read = (path: string) => readFileSync(join(ASSETS_DIR, path), "utf8");
/** The level at which the gate compresses as it goes; queue-first-view.test.ts weighs what really came. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const weigh = (path: string) =>
  brotliCompressSync(readFileSync(join(ASSETS_DIR, path)), BROTLI).length;

/** What a page's HTML names, and what its scripts import at once. */
function firstFiles(page: string): string[] {
  const found = new Set([`${page}/index.html`]);
  for (const path of found)
    for (const [, name] of read(path).matchAll(/(?:href|src)="\/([\w./-]+\.(?:js|css|svg))"/g))
      if (name) found.add(name);
  for (const path of found) {
    if (!path.endsWith(".js")) continue;
    for (const [, name] of read(path).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      if (name) found.add(`assets/${name}`);
  }
  return [...found];
}

// Other files serve from the same folder meanwhile, so it is built only where it is missing.
beforeAll(async () => {
  if (!existsSync(ASSETS_DIR)) await buildPages();
});

describe("the built pages", () => {
  test("weigh under 20 kB for the first view of the queue page, in every language", () => {
    const files = firstFiles("queue");
    expect(files.some((path) => path.endsWith(".css"))).toBe(true);
    const common = files.reduce((sum, path) => sum + weigh(path), 0);
    const script = files
      .filter((path) => path.endsWith(".js"))
      .map(read)
      .join("");
    for (const language of Object.keys(LANGUAGES)) {
      const texts = new RegExp(`["'\`]\\./(${language}-[\\w-]+\\.js)["'\`]`).exec(script)?.[1];
      expect(texts, language).toBeDefined();
      expect(common + weigh(`assets/${texts}`), language).toBeLessThan(QUEUE_BYTES_MAX);
    }
  });

  test("hold nothing inline and ask nothing of anybody else", () => {
    for (const page of PAGES) {
      const html = read(`${page}/index.html`);
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=/);
      expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    }
  });

  test("leave server libraries out", () => {
    const scripts = readdirSync(join(ASSETS_DIR, "assets")).filter((name) => name.endsWith(".js"));
    // The page that verifies a draw loads its checks, and their schema, when it needs them.
    const others = scripts.filter((name) => !name.startsWith("verify-"));
    for (const name of others)
      expect(read(`assets/${name}`), name).not.toMatch(/ZodError|JWSSignatureVerificationFailed/);
  });
});

describe("their delivery", () => {
  test("lets a page run only what the gate serves, and call only gate and core", () => {
    const policy = contentSecurityPolicy("https://core.example");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self' https://core.example;");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(() => headersFile("https://core.example/path")).toThrow("not an origin");
  });

  test("lets one page alone load somebody else's script, and only where it is used", () => {
    const without = headersFile("https://core.example");
    expect(without).not.toMatch(/stripe|cloudflare|\/pay|\/check/);
    const foreign = { stripe: STRIPE_SCRIPT, turnstile: TURNSTILE_SCRIPT };
    const rules = parseHeaders(headersFile("https://core.example", foreign));
    const manifest = { files: {}, redirects: [], headers: rules };
    const policyOf = (path: string) =>
      decideHeaders(manifest, path).get("content-security-policy") ?? "";
    expect(policyOf("/pay/ord_1")).toContain("script-src 'self' https://js.stripe.com");
    expect(policyOf("/pay/ord_1")).toMatch(/frame-src .*https:\/\/hooks\.stripe\.com/);
    expect(policyOf("/pay/ord_1")).not.toContain("cloudflare");
    const turnstile = "https://challenges.cloudflare.com";
    expect(policyOf("/check/demo")).toContain(`script-src 'self' ${turnstile};`);
    expect(policyOf("/check/demo")).toContain(`frame-src ${turnstile};`);
    expect(policyOf("/check/demo")).not.toContain("stripe");
    for (const path of ["/pay/ord_1", "/check/demo"]) {
      // One policy and not two: a second would forbid again what the first allows.
      expect(policyOf(path).match(/default-src/g)).toHaveLength(1);
      expect(policyOf(path)).not.toContain("unsafe");
    }
    const others = ["/", "/shop/e", "/orders/ord_1", "/tickets/tkt_1", "/e/pay/x", "/e/check/x"];
    for (const page of others)
      expect(policyOf(page), page).toBe(contentSecurityPolicy("https://core.example"));
    // The console alone shows a page in itself, the preview of the queue page, which nobody else may.
    expect(policyOf("/console")).toContain("frame-src 'self';");
    expect(policyOf("/console")).toContain("frame-ancestors 'none'");
    expect(policyOf("/preview")).toContain("frame-ancestors 'self'");
  });

  test("keeps hashed files for good, and every page at its address", () => {
    expect(headersFile("https://core.example")).toMatch(
      /\/assets\/\*\n( {2}! .*\n)* {2}Cache-Control: .*immutable/,
    );
    const lines = redirectsFile().trim().split("\n");
    expect(lines).toContain("/e/* /queue/ 200");
    expect(lines).toContain("/tickets/* /tickets/ 200");
    for (const line of lines) expect(line.split(" ")[2]).toBe("200");
  });
});
