import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse } from "../house.ts";

const run = promisify(execFile);
let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const ask = (method: string, path: string, token?: string, body?: unknown) =>
  house.request(method, path, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });

test("whoever lost the last key makes a new one on the server, and the log says so", async () => {
  const env = { PATH: process.env["PATH"], DATABASE_URL: house.deps.config.database.url };
  const { stdout } = await run(
    process.execPath,
    ["core/organizer-key.ts", "--name", "found again"],
    {
      env,
    },
  );
  const [, key = ""] = /\n(sk_\S+)/.exec(stdout) ?? [];
  const session = await ask("POST", "/v1/organizer/sessions", undefined, { key });
  expect(session.status).toBe(200);
  const token = String(session.body["token"]);
  const audit = await ask("GET", "/v1/organizer/audit", token);
  expect(audit.body["lines"]).toMatchObject([
    { action: "key_created", actor: "job:organizer-key", details: { name: "found again" } },
  ]);
});

test("a session ends at once when its key is revoked", async () => {
  const owner = await house.organizerToken();
  const made = await ask("POST", "/v1/organizer/keys", owner, {
    name: "for a while",
    role: "viewer",
    events: ["*"],
  });
  const session = await ask("POST", "/v1/organizer/sessions", undefined, { key: made.body["key"] });
  const token = String(session.body["token"]);
  expect((await ask("GET", "/v1/organizer/audit", token)).status).toBe(200);
  await ask("DELETE", `/v1/organizer/keys/${made.body["id"]}`, owner);
  const after = await ask("GET", "/v1/organizer/audit", token);
  expect([after.status, after.body["code"]]).toEqual([401, "credential_invalid"]);
});
