// Starts the payment simulator: a provider with its own ledger behind a real HTTP server.
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { createSimulatorApp } from "./app.ts";
import { Ledger } from "./ledger.ts";
import { createWebhookSender } from "./webhooks.ts";

export type PspOptions = {
  /** 0 picks a free port. */
  port: number;
  /** Where webhooks go: `{coreOrigin}/v1/webhooks/simulator`. */
  coreOrigin: string;
  /** Bearer secret of the merchant. */
  secret: string;
  /** `whsec_…`, Standard Webhooks. */
  webhookSecret: string;
  /** Multiplies every delay of the methods; 0.01 makes the 31 s answer a 310 ms one. */
  timeScale?: number;
  log?: (line: string) => void;
};

export type Psp = {
  origin: string;
  port: number;
  ledger: Ledger;
  stop: () => Promise<void>;
};

export async function startPsp(options: PspOptions): Promise<Psp> {
  const { timeScale = 1, log = () => {} } = options;
  const timers = new Set<NodeJS.Timeout>();
  const scaled = (ms: number): number => ms * timeScale;
  let stopped = false;
  const later = (ms: number, act: () => void): void => {
    if (stopped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, scaled(ms));
    timers.add(timer);
  };
  const ledger = new Ledger();
  const app = createSimulatorApp({
    ledger,
    secret: options.secret,
    webhooks: createWebhookSender({
      url: new URL("/v1/webhooks/simulator", options.coreOrigin).href,
      secret: options.webhookSecret,
      later,
      log,
    }),
    now: () => Date.now(),
    scaled,
    later,
    control: { nextDelayMs: 0, nextDrop: false },
  });

  const { server, port } = await new Promise<{ server: ReturnType<typeof serve>; port: number }>(
    (resolve, reject) => {
      const started = serve(
        { fetch: app.fetch, hostname: "127.0.0.1", port: options.port },
        (address: AddressInfo) => resolve({ server: started, port: address.port }),
      );
      started.once("error", reject);
    },
  );

  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    ledger,
    stop: () =>
      new Promise((resolve) => {
        stopped = true;
        for (const timer of timers) clearTimeout(timer);
        timers.clear();
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}
