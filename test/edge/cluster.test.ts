import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lineKey } from "../../edge/line/keys.ts";
import { findFreePort, isPortFree } from "../../tools/services/ports.ts";
import { request } from "../support/fan.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { runSteps } from "./line/run.ts";
import { stepArb } from "./line/steps.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

const USER = "gate";
const PASSWORD = "p@ss/word:1";
const NODES = 3;
const dirs: { dir: string; port: number }[] = [];
let nodes: RunningRedis[] = [];
let stand: Stand;

const startNode = (dir: string, port: number): Promise<RunningRedis> =>
  startRedis({
    dir,
    port,
    args: [
      ...["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"],
      ...["--cluster-require-full-coverage", "no", "--maxmemory-policy", "noeviction"],
      ...["--user", USER, "on", `>${PASSWORD}`, "~*", "&*", "+@all"],
    ],
  });

const dirOf = (port: number): string => dirs.find((known) => known.port === port)?.dir ?? "";

beforeAll(async () => {
  for (let at = 0; at < NODES; at += 1)
    dirs.push({ dir: mkdtempSync(join(tmpdir(), "sira-node-")), port: await findNodePort() });
  nodes = await Promise.all(dirs.map(({ dir, port }) => startNode(dir, port)));
  execFileSync("redis-cli", [
    ...["--cluster", "create", ...nodes.map(({ port }) => `127.0.0.1:${port}`)],
    ...["--cluster-replicas", "0", "--cluster-yes"],
  ]);
  for (const node of nodes) {
    const admin = new Redis(node.url);
    await until(async () => String(await admin.cluster("INFO")).includes("cluster_state:ok"));
    admin.disconnect();
  }
  stand = await startStand({ redisUrl: nodes.map(urlOf).join(",") });
});
afterAll(async () => {
  await stand.stop();
  await Promise.all(nodes.map((node) => node.stop()));
  for (const { dir } of dirs) rmSync(dir, { recursive: true, force: true });
});

/** The nodes talk to each other on the port 10,000 above. */
async function findNodePort(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    if (port < 55_000 && (await isPortFree(port + 10_000))) return port;
  }
}

const urlOf = ({ port }: RunningRedis) =>
  `redis://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;

/** The node that owns the event's keys. */
async function ownerOf(event: string): Promise<RunningRedis> {
  const name = lineKey({ prefix: "", event }, 1, "META");
  for (const node of nodes) {
    const admin = new Redis(node.url, { retryStrategy: () => null });
    admin.on("error", () => undefined);
    const here = await admin.exists(name).catch(() => 0);
    admin.disconnect();
    if (here === 1) return node;
  }
  throw new Error(`nobody has ${name}`);
}

test("fans walk from the join to the leave in a cluster that is named by its nodes, with user and password", async () => {
  const owners = new Set<number>();
  for (const event of ["walk-a", "walk-b", "walk-c", "walk-d"]) {
    await stand.room(event);
    const fans = [];
    for (let at = 0; at < 4; at += 1) fans.push(await joinAs(stand, event));
    expect(fans.map(({ joined }) => joined.place.number)).toEqual([1, 2, 3, 4]);
    await Promise.all(fans.slice(0, 3).map((fan) => fan.admit()));
    expect((await fans[0]?.ask("DELETE", "/place"))?.status).toBe(204);
    expect((await fans[0]?.turn())?.status).toBe(410);
    const status = await until(async () => {
      const seen = await stand.status(event);
      return seen.admitted === 3 && seen;
    });
    expect(status).toMatchObject({ issued: 4, stale: false });
    owners.add((await ownerOf(event)).port);
  }
  expect(owners.size).toBeGreaterThan(1);
  expect((await request("GET", `${stand.gate.origin}/readyz`)).status).toBe(200);
});

test("a node that dies takes only its own events' lines along, and they come back with it", async () => {
  const events = ["node-a", "node-b", "node-c", "node-d", "node-e"];
  for (const event of events) await stand.room(event);
  const homes = await Promise.all(events.map(ownerOf));
  const [home] = homes;
  const elsewhere = events.find((_, at) => homes[at]?.port !== home?.port);
  if (!home || !elsewhere) throw new Error("all events on one node");
  const [event = ""] = events;
  const inside = await joinAs(stand, event);
  const { admission } = await inside.admit();
  const waiting = await joinAs(stand, event);
  await home.kill();
  await until(async () => (await stand.status(event)).stale);
  const late = await joinAs(stand, event);
  expect(late.joined.place.number).toBeUndefined();
  expect((await joinAs(stand, elsewhere)).joined.place.number).toBe(1);
  // Back with its slots, as its own file says, and without a key.
  const back = await startNode(dirOf(home.port), home.port);
  nodes = nodes.map((node) => (node === home ? back : node));
  await until(async () => !(await stand.status(event)).stale);
  expect((await inside.admit()).admission.expiresAt).toBe(admission.expiresAt);
  await waiting.admit();
  // Behind the gap that the loss has left, which nobody is called through one by one.
  await late.admit();
});

test("random use of the scripts keeps every rule on a cluster's node as on a server of its own", async () => {
  const [node] = nodes;
  if (!node) throw new Error("no node");
  const redis = new Redis.Cluster([{ host: "127.0.0.1", port: node.port }]);
  await fc.assert(
    fc.asyncProperty(fc.array(stepArb, { minLength: 20, maxLength: 60, size: "max" }), (steps) =>
      runSteps(redis, node.url, steps),
    ),
    { numRuns: 12, endOnFailure: true },
  );
  redis.disconnect();
});

test("a wrong password, an unknown user and an evicting policy are refused, and said", async () => {
  const [first] = nodes;
  if (!first) throw new Error("no node");
  const evicting = await startRedis({ args: ["--maxmemory-policy", "allkeys-lru"] });
  const bad = [
    `redis://${USER}:wrong@127.0.0.1:${first.port}`,
    `redis://nobody:x@127.0.0.1:${first.port}`,
    evicting.url,
  ];
  const told = await Promise.all(
    bad.map(async (redisUrl) => {
      const other = await startStand({ redisUrl });
      const ready = await request("GET", `${other.gate.origin}/readyz`);
      await other.stop();
      return [ready.status, ready.body["redis"]];
    }),
  );
  expect(told).toEqual(bad.map(() => [503, false]));
  await evicting.stop();
});

/** An authority and a server's certificate of our own, good for localhost. */
function makeCertificate(dir: string): { ca: string; cert: string; key: string } {
  const openssl = (...args: string[]) =>
    execFileSync("openssl", args, { cwd: dir, stdio: ["ignore", "ignore", "pipe"] });
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const subject = (name: string) => ["-subj", `/CN=${name}`];
  openssl("req", "-x509", ...curve, "-keyout", "ca.key", "-out", "ca.pem", ...subject("test"));
  openssl(
    "req",
    ...curve,
    "-keyout",
    "redis.key",
    "-out",
    "redis.csr",
    ...subject("localhost"),
    ...["-addext", "subjectAltName=DNS:localhost"],
  );
  openssl(
    ...["x509", "-req", "-in", "redis.csr", "-CA", "ca.pem", "-CAkey", "ca.key"],
    ...["-CAcreateserial", "-copy_extensions", "copy", "-out", "redis.pem"],
  );
  return { ca: join(dir, "ca.pem"), cert: join(dir, "redis.pem"), key: join(dir, "redis.key") };
}

test("over TLS the gate trusts the authority it was given, and no other", async () => {
  const dir = mkdtempSync(join(tmpdir(), "sira-tls-"));
  const files = makeCertificate(dir);
  const tlsPort = await findFreePort();
  const server = await startRedis({
    args: [
      ...[
        "--tls-port",
        String(tlsPort),
        "--tls-cert-file",
        files.cert,
        "--tls-key-file",
        files.key,
      ],
      ...["--tls-ca-cert-file", files.ca, "--tls-auth-clients", "no"],
      ...["--maxmemory-policy", "noeviction"],
    ],
  });
  const redisUrl = `rediss://localhost:${tlsPort}`;
  const trusting = await startStand({
    redisUrl,
    trustedCertificates: [readFileSync(files.ca, "utf8")],
  });
  await trusting.room("tls");
  await (await joinAs(trusting, "tls")).admit();
  await trusting.stop();
  const other = await startStand({ redisUrl });
  expect((await request("GET", `${other.gate.origin}/readyz`)).status).toBe(503);
  await other.stop();
  await server.stop();
  rmSync(dir, { recursive: true });
});
