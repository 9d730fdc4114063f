import type { EventView } from "../../../../shared/contract/events.ts";
import type { HoldRequest } from "../../../../shared/contract/holds.ts";

/** What is bought along with the seats, by product and variant. Held with them, in the same step. Pure. */

export type Extra = { id: string; variant?: string; quantity: number };
export type Extras = readonly Extra[];

const isSame = (one: Extra, id: string, variant: string | undefined): boolean =>
  one.id === id && one.variant === variant;

export const quantityOf = (extras: Extras, id: string, variant?: string): number =>
  extras.find((extra) => isSame(extra, id, variant))?.quantity ?? 0;

export function setExtra(extras: Extras, change: Extra): Extras {
  const others = extras.filter((extra) => !isSame(extra, change.id, change.variant));
  return change.quantity > 0 ? [...others, change] : others;
}

export const leaveOut = (extras: Extras, id: string): Extras =>
  extras.filter((extra) => extra.id !== id);

export const extrasAmount = (extras: Extras, event: EventView): number =>
  extras.reduce((sum, { id, quantity }) => {
    const price = event.addons.find((addon) => addon.id === id)?.price.amount ?? 0;
    return sum + price * quantity;
  }, 0);

export const withExtras = (body: HoldRequest, extras: Extras): HoldRequest =>
  extras.length === 0 ? body : { ...body, addons: extras.map((extra) => ({ ...extra })) };
