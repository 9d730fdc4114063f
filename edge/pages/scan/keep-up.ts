import type { ScanView } from "../../../shared/contract/tickets.ts";
import { sendWithSession } from "./check-code.ts";
import { type Door, type KeptScan, keepScan, refreshList, signIn } from "./door.ts";
import { needsWord } from "./judge.ts";

/** Behind the scanning: what was read offline is sent when the network is back, the list kept young. */

const LOOK_MS = 5_000;
const LIST_MS = 60_000;
const BATCH = 100;
const WORDS_MAX = 50;

/** The gates' names may have changed meanwhile: a batch is of one gate. */
function nextBatch(door: Door): KeptScan[] {
  const all = [...door.waiting.values()];
  return all.filter(({ gate }) => gate === all[0]?.gate).slice(0, BATCH);
}

/** @returns whether everything is sent. Sent twice is one scan, so a lost answer costs nothing. */
export async function uploadScans(door: Door): Promise<boolean> {
  while (door.waiting.size > 0) {
    const batch = nextBatch(door);
    const [{ gate }] = batch as [KeptScan, ...KeptScan[]];
    const scans = batch.map(({ id, code, at }) => ({ id, code, at }));
    const reply = await sendWithSession(door, scans, { gate });
    if (reply.kind !== "ok") return false;
    const told = new Map(reply.data.scans.map((scan): [string, ScanView] => [scan.id, scan]));
    for (const scan of batch) {
      const word = told.get(scan.id);
      // An answer without this scan would be sent for ever.
      const result = word?.result ?? scan.result;
      await keepScan(door, { ...scan, result, isSent: true });
      if (word && needsWord(scan.result, word))
        door.tell({
          words: [{ ...word, readAt: scan.at }, ...door.state.words].slice(0, WORDS_MAX),
        });
    }
  }
  return true;
}

async function lookOnce(door: Door, isListDue: boolean): Promise<boolean> {
  if (door.token === undefined && !(await signIn(door))) return false;
  if (door.waiting.size > 0 && !(await uploadScans(door))) return false;
  if (!isListDue && door.state.reach === "online") return true;
  let reply = await refreshList(door);
  if (reply.kind === "problem" && reply.status === 401 && (await signIn(door)))
    reply = await refreshList(door);
  return reply.kind === "ok";
}

/** @returns how to stop. One look at a time. */
export function keepUp(door: Door): () => void {
  let isLooking = false;
  let listAt = performance.now();
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const isListDue = performance.now() - listAt > LIST_MS;
    const isThere = await lookOnce(door, isListDue).catch(() => false);
    if (isThere && (isListDue || door.state.reach === "offline")) listAt = performance.now();
    door.tell({
      reach: isThere ? "online" : "offline",
      ...(isThere ? { trouble: undefined } : {}),
    });
    isLooking = false;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  const now = () => void look();
  addEventListener("online", now);
  const away = () => door.tell({ reach: "offline" });
  addEventListener("offline", away);
  return () => {
    clearInterval(timer);
    removeEventListener("online", now);
    removeEventListener("offline", away);
  };
}
