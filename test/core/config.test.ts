import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../core/config.ts";
import { makeKeys } from "../../tools/stack/keys.ts";

describe("configuration", () => {
  test("names every bad variable at once, and prints no value", () => {
    const bad = () => readConfig({ CORE_ORIGIN: "https://a.test/path", ORGANIZER_KEY: "hunter2" });
    for (const name of [
      "CORE_ORIGIN",
      "EDGE_ORIGIN",
      "DATABASE_URL",
      "REDIS_LOCKS_URL",
      "REDIS_CACHE_URL",
      "CORE_KEYS",
      "CORE_SECRET",
      "ORGANIZER_KEY",
    ])
      expect(bad).toThrow(name);
    expect(bad).not.toThrow("hunter2");
  });

  test("refuses the simulator, plain http and a Redis prefix in production", async () => {
    const keys = await makeKeys(new Date());
    const production = () =>
      readConfig({
        NODE_ENV: "production",
        CORE_ORIGIN: "http://core.test",
        EDGE_ORIGIN: "https://gate.test",
        DATABASE_URL: "postgres://db.test/sira",
        REDIS_LOCKS_URL: "redis://127.0.0.1",
        REDIS_CACHE_URL: "redis://127.0.0.1",
        REDIS_PREFIX: "t:",
        CORE_KEYS: JSON.stringify(keys.coreKeys),
        CORE_SECRET: keys.coreSecret,
        ORGANIZER_KEY: keys.organizerKey,
        PSP_ORIGIN: "http://127.0.0.1:1",
        PSP_SECRET: keys.pspSecret,
        PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
      });
    expect(production).toThrow("PAYMENT_PROVIDER");
    expect(production).toThrow("CORE_ORIGIN");
    expect(production).toThrow("REDIS_PREFIX");
  });

  test("only config.ts reads the environment", () => {
    const text = readFileSync(new URL("../../core/main.ts", import.meta.url), "utf8");
    expect(text).not.toContain("process.env");
  });
});
