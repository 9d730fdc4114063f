// A real core process beside the one in the test, on the same database, Redis, keys and provider,
// that waits at a named point until the test has decided what becomes of it.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestCore } from "../core/payments/harness.ts";
import { asBuyer, type Buyer } from "../core/payments/sale.ts";
import type { Point } from "./steps.ts";

const MAIN = fileURLToPath(new URL("../../core/main.ts", import.meta.url));
export const FAIL_POINTS = new URL("fail-points.ts", import.meta.url).href;
const LISTENS = /"port":(\d+),"msg":"the core listens"/;

export type Victim = {
  origin: string;
  child: ChildProcess;
  output(): string;
  /** Resolves when it waits at its point. */
  reached: Promise<void>;
  /** Lets it go on. */
  go(): void;
  /** Ends it as nothing else does, and waits until it is gone. */
  kill(): Promise<void>;
  /** The status, or `cut` when the connection ended without an answer. */
  pay(buyer: Buyer, method: string, key: string): Promise<number | "cut">;
};

export async function startVictim(
  core: TestCore,
  options: { at?: Point; nth?: number; env?: Record<string, string> } = {},
): Promise<Victim> {
  const { at, nth = 1, env = {} } = options;
  const child = spawn(process.execPath, ["--import", FAIL_POINTS, MAIN], {
    env: {
      PATH: process.env["PATH"] ?? "",
      ...core.environment,
      CORE_PORT: "0",
      LOG_LEVEL: "info",
      RUN_JOBS: "false",
      ...(at === undefined ? {} : { FAIL_AT: at, FAIL_AT_NTH: String(nth) }),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  const { promise: port, resolve: listens, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (bytes: Buffer) => {
      output += bytes.toString();
      const [, found] = LISTENS.exec(output) ?? [];
      if (found !== undefined) listens(found);
    });
  const { promise: gone, resolve: end } = Promise.withResolvers<void>();
  // A failed test may not come to its `kill`, and a stopped core hears nothing gentler.
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.on("exit", () => {
    process.off("exit", endWithUs);
    end();
    reject(new Error(`the core did not start:\n${output}`));
  });
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  child.on("message", () => arrive());
  const origin = `http://127.0.0.1:${await port}`;
  return {
    origin,
    child,
    output: () => output,
    reached,
    go: () => void child.send("go"),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
    async pay(buyer, method, key) {
      try {
        const reply = await fetch(`${origin}/v1/orders/${buyer.order}/attempts`, {
          method: "POST",
          headers: { "content-type": "application/json", ...asBuyer(buyer, key) },
          body: JSON.stringify({ method, origin: "press" }),
        });
        await reply.arrayBuffer();
        return reply.status;
      } catch {
        return "cut";
      }
    },
  };
}
