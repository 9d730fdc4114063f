import type { ScanView } from "../../../shared/contract/tickets.ts";
import type { Reply } from "../kit/api.ts";
import { serverNow } from "../kit/clock.ts";
import { SCAN_TIMEOUT_MS, type Sent, sendScans } from "./calls.ts";
import { type Door, type KeptScan, keepScan, signIn } from "./door.ts";
import { judgeOffline, type Verdict } from "./judge.ts";
import { isTicketCode, readCode } from "./ticket-code.ts";

type Answer = Reply<{ scans: ScanView[] }>;

/** A session lasts an hour, an evening longer: the key opens the next one without a word. */
export async function sendWithSession(
  door: Door,
  scans: readonly Sent[],
  how: { gate: string; timeoutMs?: number },
): Promise<Answer> {
  if (door.token === undefined && !(await signIn(door))) return { kind: "network" };
  const ask = () => sendScans(door.event, { token: door.token ?? "", scans, ...how });
  const reply = await ask();
  const isStale = reply.kind === "problem" && reply.status === 401;
  return isStale && (await signIn(door)) ? await ask() : reply;
}

const sentOf = ({ id, code, at }: KeptScan): Sent => ({ id, code, at });

/**
 * One code, from the camera or typed. The server's word counts; where it does not come in time, the
 * signature and the void list decide, and the scan is sent later under the same id.
 */
export async function checkCode(door: Door, text: string): Promise<Verdict> {
  const code = text.trim();
  if (!isTicketCode(code)) return { result: "invalid", isOffline: false };
  const mark = await readCode({ event: door.event, keys: door.keys }, code);
  const judged = judgeOffline(
    mark,
    door.list ?? { void: new Set(), used: new Set(), issues: {} },
    door.here,
  );
  const scan: KeptScan = {
    id: crypto.randomUUID(),
    code,
    at: new Date(serverNow()).toISOString(),
    gate: door.state.gate,
    ticket: mark?.ticket,
    result: judged.result,
    isSent: false,
  };
  if (door.state.reach === "online") {
    const { gate } = scan;
    const reply = await sendWithSession(door, [sentOf(scan)], { gate, timeoutMs: SCAN_TIMEOUT_MS });
    const told = reply.kind === "ok" ? reply.data.scans[0] : undefined;
    if (told !== undefined) {
      await keepScan(door, { ...scan, ticket: told.ticket, result: told.result, isSent: true });
      const { id: _, ...said } = told;
      return { ...said, isOffline: false };
    }
    door.tell({ reach: "offline" });
  }
  await keepScan(door, scan);
  return judged;
}

/** The verdict is shown, and counted so that the same one twice is seen twice. */
export async function scanCode(door: Door, text: string): Promise<Verdict> {
  const verdict = await checkCode(door, text);
  door.tell({ verdict, count: door.state.count + 1 });
  return verdict;
}
