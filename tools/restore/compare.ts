// What happened after the backup that was restored: the provider remembers it, we do not. Pure.
import type { SettlementLine } from "../../core/payments/provider.ts";

export interface Remembered {
  /** The provider's id of each charge that our books have as succeeded. */
  readonly charges: ReadonlySet<string>;
  /** The provider's id of each refund that our books have as succeeded. */
  readonly refunds: ReadonlySet<string>;
}

export interface Forgotten {
  readonly charges: readonly SettlementLine[];
  readonly refunds: readonly SettlementLine[];
}

export function findForgotten(
  lines: readonly SettlementLine[],
  { charges, refunds }: Remembered,
): Forgotten {
  // A settlement of two days may have a line near midnight twice.
  const once = [...new Map(lines.map((line) => [`${line.kind} ${line.id}`, line])).values()];
  const sorted = once.toSorted((a, b) => a.at.localeCompare(b.at));
  return {
    charges: sorted.filter(({ kind, ref }) => kind === "charge" && !charges.has(ref)),
    refunds: sorted.filter(({ kind, id }) => kind === "refund" && !refunds.has(id)),
  };
}
