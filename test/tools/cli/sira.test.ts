import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT_DIR } from "../../../tools/services/root.ts";
import { describeSmallEvent } from "../../support/events.ts";
import { type Sira, startSira } from "../../support/sira.ts";

// An organizer at a terminal: each command is a process of its own, as typed.
const folder = mkdtempSync(join(tmpdir(), "sira-cli-"));
let system: Sira;

beforeAll(async () => {
  system = await startSira();
});
afterAll(async () => {
  await system?.stop();
  rmSync(folder, { recursive: true });
});

function sira(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env["PATH"] ?? "", XDG_CONFIG_HOME: folder, FORCE_COLOR: "0" };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT_DIR, "tools/cli/sira.mjs"), ...args],
      { env, cwd: folder },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

test("a sale is made, watched, steered and exported from a terminal", async () => {
  const early = await sira("watch", "gala", "--once");
  expect(early).toMatchObject({ code: 1, err: expect.stringContaining("sira login") });

  const at = ["--gate", system.edge, "--core", system.core];
  const stranger = await sira("login", ...at, "--key", "sira_not-the-key-of-this-system");
  expect(stranger).toMatchObject({ code: 1, err: expect.stringContaining("credential_invalid") });
  expect(await sira("login", ...at, "--key", system.organizerKey)).toMatchObject({ code: 0 });
  const kept = join(folder, "sira/credentials.json");
  expect(statSync(kept).mode & 0o077).toBe(0);

  const example = join(ROOT_DIR, "examples/sale.json");
  expect(await sira("create", "spring", "-f", example)).toMatchObject({ code: 0 });

  const file = join(folder, "gala.json");
  const room = { opensAt: new Date().toISOString(), early: "fifo", ratePerMinute: 60 };
  writeFileSync(file, JSON.stringify({ event: describeSmallEvent(), room }));
  expect(await sira("create", "gala", "-f", file)).toMatchObject({ code: 0 });
  writeFileSync(file, JSON.stringify({ room: { ...room, ratePerMinute: 0 } }));
  expect(await sira("create", "gala", "-f", file)).toMatchObject({
    code: 1,
    err: expect.stringContaining("ratePerMinute"),
  });

  expect(await sira("rate", "gala", "120", "--cap", "40", "-r", "doors are quick")).toMatchObject({
    code: 0,
    out: expect.stringContaining("120 a minute"),
  });
  expect(await sira("notice", "gala", "Doors at seven")).toMatchObject({ code: 0 });
  const paused = await sira("--json", "pause", "gala", "-r", "a test");
  expect(JSON.parse(paused.out)).toMatchObject({ phase: "paused" });

  const seen = JSON.parse((await sira("--json", "watch", "gala", "--once")).out);
  expect(seen).toMatchObject({ event: "gala", phase: "paused", ratePerMinute: 120, waiting: 0 });
  const drawn = await sira("watch", "gala", "--once");
  expect(drawn.out).toMatch(/gala {2}paused/);
  expect(drawn.out).toMatch(/waiting +0/);

  const log = join(folder, "log.csv");
  expect(await sira("export", "gala", "log", "-o", log)).toMatchObject({ code: 0 });
  expect(readFileSync(log, "utf8")).toContain("doors are quick");
  expect((await sira("--json", "export", "gala", "orders")).out).toBe("[]\n");
  expect(await sira("export", "gala", "money")).toMatchObject({ code: 1 });

  expect(await sira("logout")).toMatchObject({ code: 0 });
  expect(await sira("room", "gala")).toMatchObject({ code: 1 });
});
