import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// One project per kind of ground a test stands on. The tidy rules read files only, so
// `npm run verify` can run them without any service.
export default defineConfig({
  test: {
    // Most tests wait for servers more than they compute, so a small machine bears two at a time.
    maxWorkers: 2,
    // CI reads the results from a file, so that a skipped test can fail the run.
    reporters:
      process.env["CI"] === undefined
        ? ["default"]
        : ["default", ["json", { outputFile: ".sira/test-results.json" }]],
    projects: [
      { test: { name: "tidy", include: ["test/tidy.test.ts"] } },
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/tidy.test.ts", "test/workerd/**"],
          globalSetup: ["test/support/global-setup.ts"],
          pool: "forks",
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // On a loaded machine a browser or a server may be late: what ran out of time is tried once
          // more. What gave a wrong answer never is.
          retry: { count: 1, condition: /timeout|timed out|ran out of time/i },
        },
      },
      {
        // The rules of the line once more, on a node of a real cluster.
        test: {
          name: "cluster",
          include: ["test/edge/line/{door,drain,joining,restore,slots,tickers}.test.ts"],
          globalSetup: ["test/support/cluster-setup.ts"],
          pool: "forks",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            // The bundle that is deployed: a test runs what runs.
            main: inject("gateBundle"),
            miniflare: {
              compatibilityDate: "2026-11-01",
              compatibilityFlags: ["nodejs_compat"],
              bindings: inject("gateVariables"),
              durableObjects: {
                ROOM: { className: "Room", useSQLite: true },
                DOOR: { className: "Door", useSQLite: true },
                DIRECTORY: { className: "Directory", useSQLite: true },
              },
            },
          })),
        ],
        test: {
          name: "workerd",
          include: ["test/workerd/**/*.test.ts"],
          globalSetup: ["test/support/workerd-setup.ts"],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
