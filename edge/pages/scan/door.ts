import type { ScanResult, ScanView, VoidList } from "../../../shared/contract/tickets.ts";
import type { Reply } from "../kit/api.ts";
import { readClaims } from "../kit/base64url.ts";
import { learnTime, serverNow } from "../kit/clock.ts";
import { load, loadAll, remove, save } from "../kit/store.ts";
import { codeOf, type TroubleCode } from "../shop/parts/failure.ts";
import { fetchList, openSession, readEvent } from "./calls.ts";
import { type Admitted, type DoorList, indexList, type Verdict } from "./judge.ts";
import { importKeys } from "./ticket-code.ts";

/** What the phone at a door knows and keeps. It draws nothing; whoever draws is told of changes. */

/** A code that was read here. It stays after its upload, so that a second look has its when and where. */
export type KeptScan = {
  id: string;
  code: string;
  at: string;
  gate: string;
  ticket?: string | undefined;
  result: ScanResult;
  isSent: boolean;
};

export type DoorState = {
  view: "setup" | "scan";
  name: string;
  gate: string;
  /** A key that this phone keeps: it can do nothing but scan. */
  hasKey: boolean;
  busy: boolean;
  trouble?: TroubleCode | undefined;
  reach: "online" | "offline";
  /** When the void list was made, ms by the server's clock. */
  listAt?: number | undefined;
  verdict?: Verdict | undefined;
  /** Counts up with each verdict, also when the next is the same as the last. */
  count: number;
  admitted: number;
  waiting: number;
  /** What the server said afterwards about people who were let in offline. */
  words: (ScanView & { readAt: string })[];
};

export type Door = {
  readonly event: string;
  state: DoorState;
  tell: (change: Partial<DoorState>) => void;
  key?: string | undefined;
  token?: string | undefined;
  list?: DoorList | undefined;
  keys: Awaited<ReturnType<typeof importKeys>>;
  readonly here: Map<string, Admitted>;
  readonly waiting: Map<string, KeptScan>;
};

type Setup = { gate: string; key?: string };
type KeptList = { list: VoidList };

/** An evening, with the night after it. */
const KEEP_MS = 36 * 3_600_000;

const setupKey = (event: string) => `door:${event}`;
const listKey = (event: string) => `door-list:${event}`;
const scanPrefix = (event: string) => `scan:${event}:`;

export function makeDoor(event: string, onChange: (state: DoorState) => void): Door {
  const door: Door = {
    event,
    keys: [],
    here: new Map(),
    waiting: new Map(),
    state: {
      view: "setup",
      name: event,
      gate: "",
      hasKey: false,
      busy: false,
      reach: "online",
      count: 0,
      admitted: 0,
      waiting: 0,
      words: [],
    },
    tell(change) {
      door.state = { ...door.state, ...change };
      onChange(door.state);
    },
  };
  return door;
}

export async function keepScan(door: Door, scan: KeptScan): Promise<void> {
  if (scan.isSent) door.waiting.delete(scan.id);
  else door.waiting.set(scan.id, scan);
  if (scan.result === "admitted" && scan.ticket !== undefined)
    door.here.set(scan.ticket, { at: scan.at, gate: scan.gate });
  door.tell({ waiting: door.waiting.size, admitted: door.here.size });
  await save(scanPrefix(door.event) + scan.id, scan);
}

/** What an earlier visit left: the phone may have slept, or its browser been closed. */
export async function restoreDoor(door: Door, shownKey: string | undefined): Promise<void> {
  const { event } = door;
  const setup = await load<Setup>(setupKey(event));
  const kept = await load<KeptList>(listKey(event));
  for (const [key, scan] of await loadAll<KeptScan>(scanPrefix(event))) {
    if (scan.isSent && Date.parse(scan.at) < serverNow() - KEEP_MS) await remove(key);
    else if (!scan.isSent) door.waiting.set(scan.id, scan);
    if (scan.result === "admitted" && scan.ticket !== undefined)
      door.here.set(scan.ticket, { at: scan.at, gate: scan.gate });
  }
  if (kept) await useList(door, kept.list);
  door.key = shownKey ?? setup?.key;
  door.tell({
    gate: setup?.gate ?? "",
    hasKey: door.key !== undefined,
    waiting: door.waiting.size,
    admitted: door.here.size,
  });
  const named = await readEvent(event);
  if (named.kind === "ok") door.tell({ name: named.data.name });
}

async function useList(door: Door, list: VoidList): Promise<void> {
  door.list = indexList(list);
  door.keys = await importKeys(list.keys);
  door.tell({ listAt: Date.parse(list.madeAt) });
}

/** Only a key that can do nothing else may lie on a phone that is passed around. */
const isScanner = (token: string): boolean => readClaims(token)["role"] === "scanner";

/** @returns whether there is a session now. */
export async function signIn(door: Door): Promise<boolean> {
  if (door.key === undefined) return false;
  const reply = await openSession(door.key);
  if (reply.kind !== "ok") {
    if (reply.kind === "problem" && reply.status === 401) door.token = undefined;
    door.tell({ trouble: codeOf(reply) });
    return false;
  }
  door.token = reply.data.token;
  return true;
}

export async function refreshList(door: Door): Promise<Reply<VoidList>> {
  const reply = await fetchList(door.event, door.token ?? "");
  if (reply.kind !== "ok") return reply;
  learnTime(reply.data.madeAt);
  await useList(door, reply.data);
  await save(listKey(door.event), { list: reply.data } satisfies KeptList);
  return reply;
}

/** From the form to the first scan. Without a network, what an earlier start has fetched must do. */
export async function startDoor(door: Door, setup: { gate: string; key?: string }): Promise<void> {
  const gate = setup.gate.trim();
  if (setup.key) door.key = setup.key.trim();
  door.tell({ busy: true, trouble: undefined, gate });
  const isIn = await signIn(door);
  const listed = isIn ? await refreshList(door) : undefined;
  const isRefused = listed?.kind === "problem" && listed.status < 500;
  const isAway = !isIn && door.state.trouble === "network";
  if ((!isIn && !isAway) || isRefused || door.list === undefined) {
    const trouble = listed && listed.kind !== "ok" ? codeOf(listed) : door.state.trouble;
    return door.tell({ busy: false, trouble });
  }
  const mayKeep = door.token === undefined || isScanner(door.token);
  await save(setupKey(door.event), {
    gate,
    ...(mayKeep && door.key !== undefined ? { key: door.key } : {}),
  } satisfies Setup);
  door.tell({
    busy: false,
    trouble: undefined,
    view: "scan",
    hasKey: mayKeep,
    reach: listed?.kind === "ok" ? "online" : "offline",
  });
}

/** Another key or another gate; what waits to be sent stays. */
export async function forgetKey(door: Door): Promise<void> {
  door.key = undefined;
  door.token = undefined;
  await save(setupKey(door.event), { gate: door.state.gate } satisfies Setup);
  door.tell({ view: "setup", hasKey: false, verdict: undefined, trouble: undefined });
}
