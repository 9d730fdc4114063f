// What a buyer's page saw of a payment: pressed, pressed again, resumed. Evidence for an incident's
// report and nothing else: no decision ever reads it.
import { z } from "@hono/zod-openapi";
import type { Ctx } from "../context.ts";
import { PAGE_EVENTS_PER_CALL_MAX, PAGE_EVENTS_PER_ORDER_MAX } from "../payments/limits.ts";

export const pageEventsSchema = z.strictObject({
  events: z
    .array(
      z.strictObject({
        kind: z.enum(["pressed", "pressed_again", "resumed", "left_checking"]),
        attempt: z.string().min(1).max(64).optional(),
      }),
    )
    .min(1)
    .max(PAGE_EVENTS_PER_CALL_MAX),
});

/** Beyond the order's share they are dropped without a word: a page is never held up by its log. */
const APPEND = `
  insert into page_events (order_id, attempt_id, kind)
  select $1, e ->> 'attempt', e ->> 'kind' from jsonb_array_elements($2::jsonb) e
  where (select count(*) from page_events where order_id = $1) < $3::integer`;

export async function appendPageEvents(
  ctx: Ctx,
  input: { order: string; events: z.infer<typeof pageEventsSchema>["events"] },
): Promise<void> {
  await ctx.db.write(APPEND, [
    input.order,
    JSON.stringify(input.events),
    PAGE_EVENTS_PER_ORDER_MAX - PAGE_EVENTS_PER_CALL_MAX,
  ]);
}
