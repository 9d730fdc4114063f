import type { EventView, SeatMap } from "../../../shared/contract/events.ts";
import type { HoldRequest, HoldView } from "../../../shared/contract/holds.ts";
import type { OrderRequest } from "../../../shared/contract/orders.ts";
import type { Reply } from "../kit/api.ts";
import { serverNow } from "../kit/clock.ts";
import { type Admission, holdKey, readAdmission } from "../kit/core.ts";
import { load, remove } from "../kit/store.ts";
import {
  type KeptHold,
  makeHold,
  makeOrder,
  readEvent,
  readHold,
  readSeats,
  releaseHold,
} from "./calls.ts";
import { codeOf, type TroubleCode } from "./parts/failure.ts";

/** One fan's visit to the shop, from the door to the order. It draws nothing. */

export type Step =
  | { kind: "loading" }
  | { kind: "stop"; why: "noAdmission" | "ended" | "unknown" | "down" | "holdLost" }
  | { kind: "choose" }
  | { kind: "held"; hold: HoldView };

/** Why the last call failed, and the seats that the core named with it. */
export type HoldTrouble = { code: TroubleCode; unavailable: string[]; alternatives: string[][] };

export type VisitState = {
  step: Step;
  event?: EventView;
  map?: SeatMap;
  admission?: Admission;
  busy: boolean;
  trouble?: HoldTrouble | undefined;
};

export type Visit = {
  readonly id: string;
  state: VisitState;
  tell: (change: Partial<VisitState>) => void;
};

/** After these the admission is of no use any more, and only the line helps. */
const ENDED: readonly TroubleCode[] = [
  "admission_invalid",
  "admission_closed",
  "admission_required",
];

export function makeVisit(id: string, onChange: (state: VisitState) => void): Visit {
  const visit: Visit = {
    id,
    state: { step: { kind: "loading" }, busy: false },
    tell(change) {
      visit.state = { ...visit.state, ...change };
      onChange(visit.state);
    },
  };
  return visit;
}

const stop = (visit: Visit, why: Extract<Step, { kind: "stop" }>["why"]) =>
  visit.tell({ step: { kind: "stop", why } });

/** True when the event could not be read for a reason that passes. */
export async function openVisit(visit: Visit): Promise<boolean> {
  const { id } = visit;
  const reply = await readEvent(id);
  if (reply.kind !== "ok") {
    const isUnknown = reply.kind === "problem" && reply.status === 404;
    stop(visit, isUnknown ? "unknown" : "down");
    return !isUnknown;
  }
  const admission = await readAdmission(id);
  visit.tell({ event: reply.data, ...(admission ? { admission } : {}) });
  const kept = await load<KeptHold>(holdKey(id));
  if (kept?.order !== undefined) {
    // The hold has become an order: paying, and what came of it, is that page's business.
    location.replace(`/orders/${encodeURIComponent(kept.order)}`);
    return false;
  }
  if (!admission) {
    stop(visit, "noAdmission");
    return false;
  }
  if (kept) {
    const held = await readHold(kept.id, admission.credential);
    if (held.kind === "ok" && Date.parse(held.data.expiresAt) > serverNow()) {
      visit.tell({ step: { kind: "held", hold: held.data } });
      return false;
    }
    if (held.kind !== "network") await remove(holdKey(id));
  }
  if (admission.endsAt <= serverNow()) stop(visit, "ended");
  else visit.tell({ step: { kind: "choose" } });
  return false;
}

export async function lookAtSeats(visit: Visit): Promise<void> {
  const reply = await readSeats(visit.id);
  if (reply.kind === "ok" && reply.data.version !== visit.state.map?.version)
    visit.tell({ map: reply.data });
}

/** One call at a time, however often and fast somebody presses. */
async function once(visit: Visit, work: (admission: Admission) => Promise<void>): Promise<void> {
  const { admission, busy } = visit.state;
  if (!admission || busy) return;
  visit.tell({ busy: true, trouble: undefined });
  await work(admission);
  visit.tell({ busy: false });
}

const textsOf = (fact: unknown): string[] =>
  Array.isArray(fact) ? fact.filter((item) => typeof item === "string") : [];

/** `alternatives` are lists of seat ids, or objects that hold one under `seats`. */
const groupsOf = (fact: unknown): string[][] =>
  (Array.isArray(fact) ? fact : [])
    .map((item) => (typeof item === "string" ? [item] : textsOf(item?.seats ?? item)))
    .filter((group) => group.length > 0);

const plainTrouble = (code: TroubleCode): HoldTrouble => ({
  code,
  unavailable: [],
  alternatives: [],
});

export const holdSeats = (visit: Visit, body: HoldRequest): Promise<void> =>
  once(visit, async ({ credential }) => {
    const reply = await makeHold(visit.id, credential, body);
    if (reply.kind === "ok") visit.tell({ step: { kind: "held", hold: reply.data } });
    else await explainRefusal(visit, reply);
  });

async function explainRefusal(
  visit: Visit,
  reply: Exclude<Reply<HoldView>, { kind: "ok" }>,
): Promise<void> {
  const code = codeOf(reply);
  if (ENDED.includes(code)) {
    stop(visit, "ended");
    return;
  }
  const facts = reply.kind === "problem" ? reply.problem : undefined;
  const { admission } = visit.state;
  const existing = facts?.["hold"];
  if (code === "hold_exists" && typeof existing === "string" && admission) {
    const other = await readHold(existing, admission.credential);
    if (other.kind === "ok") visit.tell({ step: { kind: "held", hold: other.data } });
  }
  const unavailable = textsOf(facts?.["unavailable"]);
  visit.tell({ trouble: { code, unavailable, alternatives: groupsOf(facts?.["alternatives"]) } });
  await lookAtSeats(visit);
}

export const orderHeld = (visit: Visit, body: OrderRequest): Promise<void> =>
  once(visit, async ({ credential }) => {
    const reply = await makeOrder(visit.id, credential, body);
    if (reply.kind === "ok") location.assign(`/orders/${encodeURIComponent(reply.data.id)}`);
    else visit.tell({ trouble: plainTrouble(codeOf(reply)) });
  });

export const giveBack = (visit: Visit, hold: HoldView): Promise<void> =>
  once(visit, async ({ credential }) => {
    const reply = await releaseHold(visit.id, hold.id, credential);
    const isFree = reply.kind === "ok" || (reply.kind === "problem" && reply.status === 404);
    if (isFree) visit.tell({ step: { kind: "choose" } });
    else visit.tell({ trouble: plainTrouble(codeOf(reply)) });
  });

/** The clock has run out, for the hold or for the visit. */
export async function runOut(visit: Visit): Promise<void> {
  const { step, busy } = visit.state;
  if (busy) return;
  if (step.kind === "held") {
    await remove(holdKey(visit.id));
    stop(visit, "holdLost");
  } else if (step.kind === "choose") stop(visit, "ended");
}
