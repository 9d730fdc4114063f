import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import {
  BINDING_NAMES,
  parseVariables,
  SECRET_VARIABLES,
  variablesSchema,
} from "../../edge/env.ts";
import { doorByName, roomObject } from "../../edge/guard/rooms.ts";
import { deploymentOf } from "../../tools/gate/deployment.ts";
import { makeKeys } from "../../tools/stack/keys.ts";

/** The part of wrangler's configuration that is compared. */
type Deployment = {
  compatibility_flags: string[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { new_sqlite_classes?: string[]; new_classes?: string[] }[];
  assets?: { binding?: string; directory?: string; run_worker_first?: string[] | boolean };
  vars: Record<string, unknown>;
  rules: { type: string; globs: string[] }[];
};

const config: Deployment = unstable_readConfig({ config: "wrangler.toml" });

const CLASSES = { ROOM: "Room", DOOR: "Door", DIRECTORY: "Directory" };

test("wrangler.toml binds what the gate reads, and nothing else", () => {
  const objects = config.durable_objects.bindings.map(({ name, class_name }) => [name, class_name]);
  expect(Object.fromEntries(objects)).toEqual(CLASSES);
  const bound = [...objects.map(([name]) => name), config.assets?.binding];
  expect(bound.sort()).toEqual([...BINDING_NAMES].sort());
});

test("every Durable Object class is migrated as one with SQLite", () => {
  const made = config.migrations.flatMap(({ new_sqlite_classes }) => new_sqlite_classes ?? []);
  expect(made.sort()).toEqual(Object.values(CLASSES).sort());
  expect(config.migrations.flatMap(({ new_classes }) => new_classes ?? [])).toEqual([]);
});

test("every variable that the gate reads is a var of the deployment or one of its secrets", () => {
  const read = Object.keys(variablesSchema.shape).sort();
  expect([...Object.keys(config.vars), ...SECRET_VARIABLES].sort()).toEqual(read);
});

test("pages are assets, and the Worker runs first where the gate itself answers", () => {
  expect(config.assets).toMatchObject({ directory: expect.stringContaining("edge/public") });
  expect(config.assets?.run_worker_first).toEqual(
    expect.arrayContaining(["/api/*", "/v1/*", "/.well-known/*", "/healthz", "/readyz"]),
  );
  expect(config.rules).toContainEqual(
    expect.objectContaining({ type: "Text", globs: ["**/*.lua"] }),
  );
  expect(config.compatibility_flags).toContain("nodejs_compat");
});

test("with PROXY_HOSTS the Worker runs before every asset, and each host leads to it", () => {
  const source = readFileSync("wrangler.toml", "utf8");
  expect(deploymentOf(source)).toBe(source);
  const text = deploymentOf(
    source.replace(
      'PROXY_HOSTS = ""',
      'PROXY_HOSTS = "shop.example.org=gala, www.example.net=fair"',
    ),
  );
  const file = join(mkdtempSync(join(tmpdir(), "sira-deploy-")), "wrangler.toml");
  writeFileSync(file, text);
  const made: Deployment & { routes?: unknown } = unstable_readConfig({ config: file });
  expect(made.assets?.run_worker_first).toBe(true);
  expect(made.routes).toEqual([
    { pattern: "shop.example.org", custom_domain: true },
    { pattern: "www.example.net", custom_domain: true },
  ]);
  expect(made.vars).toMatchObject({ PROXY_HOSTS: expect.stringContaining("shop.example.org") });
});

test("Rooms and Doors are made where the deployment says, and near the first request otherwise", async () => {
  const keys = await makeKeys(new Date());
  const of = (location: string) =>
    parseVariables({
      ...config.vars,
      GATE_KEYS: JSON.stringify(keys.gateKeys),
      ROOM_SECRET: keys.roomSecret,
      REDIS_URL: "redis://127.0.0.1:6379",
      DOOR_LOCATION: location,
    });
  // The runtime's namespaces, which write down with which options they were asked.
  const asked: unknown[] = [];
  const namespace = {
    idFromName: (name: string) => name,
    get: (name: string, options: unknown) => asked.push([name, options]),
  };
  const env = { ROOM: namespace, DOOR: namespace };
  for (const placed of [await of("weur"), await of("")]) {
    Reflect.apply(roomObject, undefined, [env, placed, "gala"]);
    Reflect.apply(doorByName, undefined, [env, placed, "gala/1/0"]);
  }
  expect(asked).toEqual([
    ["gala", { locationHint: "weur" }],
    ["gala/1/0", { locationHint: "weur" }],
    ["gala", {}],
    ["gala/1/0", {}],
  ]);
  await expect(of("mars")).rejects.toThrow("DOOR_LOCATION");
});

test("the deployment's own vars are good ones, and every bad variable is named", async () => {
  const keys = await makeKeys(new Date());
  const good = {
    ...config.vars,
    GATE_KEYS: JSON.stringify(keys.gateKeys),
    ROOM_SECRET: keys.roomSecret,
    REDIS_URL: "redis://127.0.0.1:6379",
  };
  await expect(parseVariables(good)).resolves.toMatchObject({ secure: true });
  // Room and Doors are asked for where Redis is; without a word they stay near the first fan.
  const placed = parseVariables({ ...good, DOOR_LOCATION: "weur" });
  await expect(placed).resolves.toMatchObject({ placing: { locationHint: "weur" } });
  await expect(parseVariables(good)).resolves.toMatchObject({ placing: {} });
  await expect(parseVariables({ ...good, DOOR_LOCATION: "mars" })).rejects.toThrow("DOOR_LOCATION");
  const bad = {
    ...good,
    EDGE_ORIGIN: "https://gate.example.com/path",
    REDIS_URL: "http://x",
    ROOM_SECRET: "abcd",
    GATE_KEYS: "[",
    ISSUERS: "{}",
  };
  const refused = await parseVariables(bad).catch((error: Error) => error.message);
  for (const name of ["EDGE_ORIGIN", "REDIS_URL", "ROOM_SECRET", "GATE_KEYS", "ISSUERS"])
    expect(refused).toContain(name);
  const inside = { ...good, PROXY_ORIGINS: "https://10.0.0.5" };
  await expect(parseVariables(inside)).rejects.toThrow(/PROXY_ORIGINS: .*not_public/);
  const missing = await parseVariables({}).catch((error: Error) => error.message);
  for (const name of ["EDGE_ORIGIN", "CORE_ORIGIN", "REDIS_URL", "ROOM_SECRET", "GATE_KEYS"])
    expect(missing).toContain(name);
});
