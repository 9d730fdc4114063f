// One press on a difference of the books: repair it again, send the charge back, or lay it aside.
import { Refusal } from "../../shared/errors.ts";
import type { Ctx, OrganizerActor } from "../context.ts";
import { appendAudit } from "../organizers/audit.ts";
import type { Discrepancy } from "../payments/reconcile.ts";
import { refundOrder } from "../payments/refunds.ts";
import { repairOf } from "../payments/repair.ts";

const ONE = `
  select id, class, attempt_id as attempt, order_id as "order", details, reference, state
  from discrepancies where id = $1`;

type Found = Discrepancy & { state: "open" | "repairing" | "repaired" | "queued" | "dismissed" };

export type DiscrepancyVerdict = { id: string; state: Found["state"]; repair: string | null };

export async function actOnDiscrepancy(
  ctx: Ctx<OrganizerActor>,
  input: { id: string; do: "repair" | "refund" | "dismiss"; reason: string },
): Promise<DiscrepancyVerdict> {
  const [one] = await ctx.db.read<Found>(ONE, [input.id]);
  if (one === undefined) throw new Refusal("not_found");
  if (one.state === "repaired" || one.state === "dismissed")
    return { id: one.id, state: one.state, repair: null };
  const done = await carryOut(ctx, one, input);
  const state = input.do === "dismiss" ? "dismissed" : done === null ? "queued" : "repaired";
  await ctx.db.call("end_discrepancy", [one.id, state, done ?? input.reason]);
  await appendAudit(ctx, {
    action: `reconciliation.${input.do}`,
    target: one.id,
    details: { class: one.class, reference: one.reference, reason: input.reason, done, state },
  });
  return { id: one.id, state, repair: done };
}

/** What was done; `null` when it still needs a person. */
async function carryOut(
  ctx: Ctx<OrganizerActor>,
  one: Found,
  input: { do: "repair" | "refund" | "dismiss"; reason: string },
): Promise<string | null> {
  switch (input.do) {
    case "repair":
      return repairOf(ctx, one);
    case "dismiss":
      return input.reason;
    case "refund": {
      if (one.order === null || one.attempt === null) throw new Refusal("refund_not_possible");
      // The difference is the key: pressed twice, it is one refund.
      const refund = await refundOrder(ctx, {
        order: one.order,
        key: `discrepancy:${one.id}`,
        request: { attempt: one.attempt, reason: input.reason },
      });
      return `refund ${refund.id}`;
    }
  }
}
