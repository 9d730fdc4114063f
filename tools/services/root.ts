import { join } from "node:path";

/** The repository's folder. */
export const ROOT_DIR = join(import.meta.dirname, "../..");
/** Everything a run writes: data, logs, keys, addresses. Never committed. */
export const STATE_DIR = join(ROOT_DIR, ".sira");
