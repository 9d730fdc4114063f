import type { ScanResult, ScanView, VoidList } from "../../../shared/contract/tickets.ts";
import type { Mark } from "./ticket-code.ts";

/** What a door decides by itself while nobody can be asked. Pure. */

export type Verdict = Pick<ScanView, "result" | "ticket" | "seat" | "zone" | "holder" | "other"> & {
  /** When and where it was admitted; a list of used tickets tells neither. */
  first?: { at: string; gate: string };
  /** Decided here, by the signature and the void list; the server has not been asked. */
  isOffline: boolean;
};

export type Admitted = { at: string; gate: string };

export type DoorList = {
  void: ReadonlySet<string>;
  used: ReadonlySet<string>;
  issues: Readonly<Record<string, number>>;
};

export const indexList = (list: VoidList): DoorList => ({
  void: new Set(list.void),
  used: new Set(list.used),
  issues: list.issues,
});

/** @param here tickets that this phone has let in, with when and where. */
export function judgeOffline(
  mark: Mark | undefined,
  list: DoorList,
  here: ReadonlyMap<string, Admitted>,
): Verdict {
  if (mark === undefined) return { result: "invalid", isOffline: true };
  const { ticket, issue } = mark;
  const verdict = (result: ScanResult, first?: Admitted): Verdict => ({
    result,
    ticket,
    isOffline: true,
    ...(first === undefined ? {} : { first }),
  });
  if (list.void.has(ticket)) return verdict("void");
  if (issue < (list.issues[ticket] ?? 1)) return verdict("superseded");
  const first = here.get(ticket);
  if (first !== undefined || list.used.has(ticket)) return verdict("already", first);
  return verdict("admitted");
}

/** Whether the server's word about a scan that was judged offline needs a person's attention. */
export function needsWord(judged: ScanResult, told: ScanView): boolean {
  if (judged !== "admitted") return false;
  return told.result !== "admitted" || told.other !== undefined;
}

/** Older than this, a list is said to be old: a refund or a transfer may be missing in it. */
const OLD_MS = 15 * 60_000;

export const isOld = (ageMs: number): boolean => ageMs > OLD_MS;
