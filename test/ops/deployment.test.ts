import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig } from "../../core/config.ts";
import { ROOT_DIR } from "../../tools/services/root.ts";
import { type DeploymentKeys, makeKeys } from "../../tools/stack/keys.ts";

const read = (path: string) => readFileSync(join(ROOT_DIR, path), "utf8");

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      volumes: z.array(z.string()).optional(),
      ports: z.array(z.string()).optional(),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});

/** As compose fills `${NAME:?why}` in; an empty value is refused there, too. */
function fillIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_whole, name: string) => {
    const value = values.get(name);
    if (!value) throw new Error(`${name} stands in compose.yaml and not in env.example`);
    return value;
  });
}

describe("the compose file", () => {
  let keys: DeploymentKeys;
  let values: Map<string, string>;
  const compose = composeSchema.parse(parse(read("ops/container/compose.yaml"), { merge: true }));
  beforeAll(async () => {
    keys = await makeKeys(new Date());
    values = new Map(
      [...read("ops/container/env.example").matchAll(/^(\w+)=(.*)$/gm)].map(
        ([, name = "", value = ""]) => [name, value === "" ? "a-secret-of-this-test" : value],
      ),
    );
    values.set("CORE_KEYS", JSON.stringify(keys.coreKeys));
    values.set("CORE_SECRET", keys.coreSecret);
    values.set("ORGANIZER_KEY", keys.organizerKey);
  });

  test("gives the core an environment that it starts with in production", () => {
    const environment = compose.services["core"]?.environment ?? {};
    const filled = Object.fromEntries(
      Object.entries(environment).map(([name, text]) => [name, fillIn(text, values)]),
    );
    expect(filled["NODE_ENV"]).toBe("production");
    expect(readConfig(filled)).toMatchObject({ env: "production", trustedProxies: 1 });
    expect(compose.services["migrate"]?.environment).toEqual(environment);
  });

  test("has each Redis with the policy and persistence of its role, on a volume where it keeps", () => {
    const flags = (name: string) => compose.services[name]?.command?.join(" ") ?? "";
    for (const name of ["redis-line", "redis-locks"]) {
      expect(flags(name)).toContain("--maxmemory-policy noeviction");
      expect(flags(name)).toContain("--appendonly yes");
      expect(compose.services[name]?.volumes).toHaveLength(1);
    }
    expect(flags("redis-cache")).toContain("--maxmemory-policy allkeys-lru");
    for (const name of ["redis-line", "redis-locks", "redis-cache"])
      expect(flags(name)).toContain("--requirepass");
  });

  test("opens no port to the world, names only what it has", () => {
    for (const { ports = [], volumes = [], depends_on = {} } of Object.values(compose.services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      for (const volume of volumes)
        expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
      for (const name of Object.keys(depends_on))
        expect(Object.keys(compose.services)).toContain(name);
    }
  });
});

describe("the container file", () => {
  const text = read("ops/container/Dockerfile");

  test("has no fault that a linter finds", () => {
    expect(validate(text).map(({ message }) => message)).toEqual([]);
  });

  test("copies what is there, runs as nobody special, and lets nothing else into its context", () => {
    const copied = [...text.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, what = ""]) =>
      what.split(" "),
    );
    expect(copied.length).toBeGreaterThan(3);
    const allowed = read(".dockerignore").split("\n");
    for (const path of copied) {
      expect(existsSync(join(ROOT_DIR, path)), path).toBe(true);
      expect(allowed).toContain(`!${path}`);
    }
    expect(allowed[0]).toBe("**");
    expect(text).toMatch(/^USER node$/m);
    const [, entry = ""] = /^CMD \["node", "(.+)"\]$/m.exec(text) ?? [];
    expect(existsSync(join(ROOT_DIR, entry))).toBe(true);
  });
});

describe.each(readdirSync(join(ROOT_DIR, "ops/systemd")))("the unit %s", (name) => {
  const text = read(`ops/systemd/${name}`);
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(text)?.[1] ?? "";

  test("starts a file that is there, and gives it longer to stop than it takes", () => {
    const entry = value("ExecStart").split(" ")[1] ?? "";
    expect(existsSync(join(ROOT_DIR, entry)), entry).toBe(true);
    // The supervisor kills what has not drained after 19.5 s.
    expect(Number(value("TimeoutStopSec"))).toBeGreaterThan(20);
    expect(value("KillMode")).toBe("mixed");
    expect(value("User")).toBe("sira");
    for (const line of text.split("\n")) expect(line).toMatch(/^(#.*|\[\w+\]|\w+=.+|)$/);
  });
});
