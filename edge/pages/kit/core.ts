import type { AdmissionView } from "../../../shared/contract/queue.ts";
import { type Call, type Credential, call, findCore, type Reply } from "./api.ts";
import { existingKey } from "./proof.ts";
import { load } from "./store.ts";

/** Calls to the core. Where it is, the gate tells; who calls, the admission or the order tells. */

export async function callCore<T>(path: string, request: Call = {}): Promise<Reply<T>> {
  const core = await findCore();
  return core === undefined ? { kind: "network" } : call<T>(core + path, request);
}

export type Admission = { credential: Credential; endsAt: number };

/** What the queue page left for the shop. It is worthless without this browser's key. */
export async function readAdmission(event: string): Promise<Admission | undefined> {
  const admission = await load<AdmissionView>(`admission:${event}`);
  if (!admission) return undefined;
  const key = admission.type === "DPoP" ? await existingKey(event) : undefined;
  const credential: Credential = {
    scheme: admission.type,
    token: admission.token,
    ...(key ? { key } : {}),
  };
  return { credential, endsAt: Date.parse(admission.expiresAt) };
}

/** What this browser keeps of an order: the token that reaches it, and where it came from. */
export type KeptOrder = { token: string; event: string };

export const orderKey = (order: string): string => `order:${order}`;
export const holdKey = (event: string): string => `hold:${event}`;

export async function orderCredential(order: string): Promise<Credential | undefined> {
  const kept = await load<KeptOrder>(orderKey(order));
  return kept ? { scheme: "Order", token: kept.token } : undefined;
}
