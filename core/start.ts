// `npm start`: the core in production, as several processes on one port.
import { fileURLToPath } from "node:url";
import { readProcessConfig, readSupervisorConfig } from "./config.ts";
import { createLog } from "./deps.ts";
import { supervise } from "./supervisor/supervise.ts";

try {
  const config = readProcessConfig();
  const { processes } = readSupervisorConfig();
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  supervise({ main, processes, log: createLog(config) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
