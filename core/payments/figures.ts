// Figures of payments for `/metrics`, read from the tables so that every process tells the same and a
// restart forgets nothing.
import type { Ctx } from "../context.ts";

export type Habit = { attempts: number; again: number };

type Figures = {
  attempts: Record<string, number>;
  orders: Record<string, number>;
  refunds: Record<string, number>;
  unknownAgeS: number;
  refundAgeS: number;
  review: number;
  unsettled: number;
  parked: number;
  doubles: number;
  differences: number;
  inquiries: number;
  sameAgain: number;
  /** Attempts, and those with method and amount of an earlier one: of the last hour, the week before. */
  hour: Habit;
  week: Habit;
  leftChecking: number;
  successes: number;
  origins: Record<string, number>;
};

/** Of the last day, except for what is still open, which counts however old. */
const FIGURES = `
  select jsonb_build_object(
    'attempts', (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select state, count(*) as n from payment_attempts
      where created_at > now() - interval '1 day' group by state) x),
    'orders', (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select state, count(*) as n from orders
      where created_at > now() - interval '1 day' group by state) x),
    'refunds', (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select state, count(*) as n from refunds
      where created_at > now() - interval '1 day' group by state) x),
    'unknownAgeS', (select coalesce(max(extract(epoch from now() - coalesce(sent_at, created_at))), 0)
      from payment_attempts where state in ('sent', 'unknown')),
    'refundAgeS', (select coalesce(max(extract(epoch from now() - created_at)), 0) from refunds
      where state in ('created', 'sent', 'unknown')),
    'review', (select count(*) from payment_attempts
      where settled = 'review' and updated_at > now() - interval '30 days'),
    'unsettled', (select count(*) from payment_attempts
      where state = 'succeeded' and settled is null),
    'parked', (select count(*) from webhook_events where state = 'parked'),
    'doubles', (select count(*) from refunds
      where reason = 'duplicate' and created_at > now() - interval '1 day'),
    'differences', (select count(*) from discrepancies
      where state <> 'dismissed' and created_at > now() - interval '1 day'),
    'inquiries', (select coalesce(sum(inquiries), 0) from payment_attempts
      where created_at > now() - interval '1 day'),
    'sameAgain', (select count(*) from payment_attempts
      where same_again and created_at > now() - interval '1 day'),
    'hour', (select jsonb_build_object('attempts', count(*),
        'again', count(*) filter (where same_again)) from payment_attempts
      where created_at > now() - interval '1 hour'),
    'week', (select jsonb_build_object('attempts', count(*),
        'again', count(*) filter (where same_again)) from payment_attempts
      where created_at > now() - interval '7 days' and created_at <= now() - interval '1 hour'),
    'leftChecking', (select count(distinct order_id) from page_events
      where kind = 'left_checking' and at > now() - interval '1 day'),
    'successes', (select count(*) from payment_attempts
      where state = 'succeeded' and created_at > now() - interval '1 day'),
    'origins', (select coalesce(jsonb_object_agg(origin, n), '{}') from (
      select origin, count(*) as n from payment_attempts
      where created_at > now() - interval '1 day' group by origin) x)
  ) as figures`;

const PER = 100_000;
/** Fewer say nothing: one person with a bad card would ring. */
const AGAIN_MIN = 5;
/** What a quiet week is taken for: one attempt in fifty. Else the first of a sale would be a rise. */
const NORMAL_MIN = 0.02;

/** Pure: the last hour's share of repeats over the normal one; 0 while there are too few to tell. */
export function levelOf(hour: Habit, week: Habit): number {
  if (hour.again < AGAIN_MIN) return 0;
  const normal = week.attempts === 0 ? 0 : week.again / week.attempts;
  return hour.again / hour.attempts / Math.max(NORMAL_MIN, normal);
}

export async function runPaymentFigures(ctx: Ctx): Promise<number> {
  const [row] = await ctx.db.read<{ figures: Figures }>(FIGURES);
  if (row === undefined) return 0;
  const { figures } = row;
  setByLabel(ctx, "sira_payment_attempts", "Attempts of the last day.", "state", figures.attempts);
  setByLabel(ctx, "sira_payment_origins", "Where attempts came from.", "origin", figures.origins);
  setByLabel(ctx, "sira_orders", "Orders of the last day.", "state", figures.orders);
  setByLabel(ctx, "sira_refunds", "Refunds of the last day.", "state", figures.refunds);
  const single: [string, string, number][] = [
    ["sira_payment_unknown_age_seconds", "Age of the oldest open attempt.", figures.unknownAgeS],
    ["sira_refund_age_seconds", "Age of the oldest open refund.", figures.refundAgeS],
    ["sira_payment_review", "Charges of a wrong amount that wait for a person.", figures.review],
    ["sira_payment_unsettled", "Successes that nothing was decided about.", figures.unsettled],
    [
      "sira_reconciliation_differences",
      "Differences that the books of the last night showed, repaired ones too.",
      figures.differences,
    ],
    ["sira_payment_inquiries", "Inquiries about attempts of the last day.", figures.inquiries],
    [
      "sira_payment_same_again",
      "Attempts of the last day with the method and amount of an earlier one of the same person.",
      figures.sameAgain,
    ],
    [
      "sira_payment_same_again_level",
      "How often that is in the last hour, against its normal level of the week before.",
      levelOf(figures.hour, figures.week),
    ],
    [
      "sira_payment_left_checking",
      "Buyers who left or cancelled while their payment was being checked, last day.",
      figures.leftChecking,
    ],
    ["sira_webhooks_parked", "Webhooks about charges we do not know.", figures.parked],
    [
      "sira_payment_doubles_per_100000",
      "Second charges of an order for each 100,000 successes of the last day.",
      figures.successes === 0 ? 0 : (figures.doubles * PER) / figures.successes,
    ],
  ];
  for (const [name, help, value] of single) ctx.metrics.gauge(name, help).set(value);
  return 0;
}

function setByLabel(
  ctx: Ctx,
  name: string,
  help: string,
  label: string,
  values: Record<string, number>,
): void {
  const gauge = ctx.metrics.gauge(name, help, [label]);
  gauge.reset();
  for (const [key, value] of Object.entries(values)) gauge.set({ [label]: key }, value);
}
