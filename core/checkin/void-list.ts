import type { VoidList } from "../../shared/contract/tickets.ts";
import { assert } from "../../shared/result.ts";
import type { Ctx } from "../context.ts";

const CHANGES = `
  select iso_time(clock_timestamp()) as "madeAt",
    coalesce(jsonb_agg(id order by id) filter (where state = 'void'), '[]') as void,
    coalesce(jsonb_agg(id order by id) filter (where state = 'used'), '[]') as used,
    coalesce(jsonb_object_agg(id, issue) filter (where issue > 1 and state <> 'void'), '{}')
      as issues
  from tickets where event_id = $1 and (state <> 'valid' or issue > 1)`;

/** What a door cannot know from a code's signature: tickets void, handed on, or inside already. */
export async function readVoidList(
  ctx: Pick<Ctx, "db" | "keys">,
  event: string,
): Promise<VoidList> {
  const [row] = await ctx.db.read<Omit<VoidList, "event" | "keys">>(CHANGES, [event], {
    slow: true,
  });
  assert(row, "an aggregate gives one row");
  return {
    event,
    ...row,
    keys: ctx.keys.jwks.keys
      .filter((key) => key["sira:use"] === "ticket")
      .map(({ kid, kty, crv, x, y }) => ({ kid, kty, crv, x, y })),
  };
}
