// `node tools/psp/main.ts`: the payment simulator on PSP_PORT, for development and by hand.
import { startPsp } from "./server.ts";

const DEFAULT_PSP_PORT = 8789;

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    console.error(`psp: ${name} is not set`);
    process.exit(1);
  }
  return value;
}

const psp = await startPsp({
  port: Number(process.env["PSP_PORT"] ?? DEFAULT_PSP_PORT),
  coreOrigin: process.env["CORE_ORIGIN"] ?? "http://127.0.0.1:8788",
  secret: required("PSP_SECRET"),
  webhookSecret: required("PSP_WEBHOOK_SECRET"),
  timeScale: Number(process.env["PSP_TIME_SCALE"] ?? 1),
  log: (line) => console.error(`psp: ${line}`),
});
console.log(`psp: listening on ${psp.origin}`);

const stop = (): void => void psp.stop().then(() => process.exit(0));
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
