import type { HoldRequest } from "../../shared/contract/holds.ts";
import type { Ctx, FanActor } from "../context.ts";
import type { AddonStock } from "./addon-stock.ts";
import type { Alternatives } from "./alternatives.ts";
import { type Holders, isOwed } from "./holders.ts";
import { type Idem, idemOf, whoOf } from "./request.ts";
import { lockSeats, unlockSeats } from "./seat-locks.ts";
import { SOLD_OUT_MS, type SoldOut } from "./sold-out.ts";
import type { Verdict } from "./verdict.ts";
import type { ZoneCombiner } from "./zone-combiner.ts";

/**
 * One hold: chosen seats, the best available, or places in a standing zone. The database function
 * decides; what stands before it only keeps the hopeless away from it.
 */

/** How often a request waits for rows that others work on before it is told to come again. */
const BEST_WAITS_MAX = 3;

export type HoldTools = {
  combiner: ZoneCombiner;
  soldOut: SoldOut;
  holders: Holders;
  alternatives: Alternatives;
  addons: AddonStock;
};
type Input = { request: HoldRequest; key: string | undefined };
type Asked = { ctx: Ctx<FanActor>; idem: Idem | null };

export async function holdUnits(
  ctx: Ctx<FanActor>,
  tools: HoldTools,
  input: Input,
): Promise<Verdict> {
  const { event } = ctx.actor;
  const { request } = input;
  const asked = { ctx, idem: idemOf(ctx, input.key, request) };
  const asker = { account: ctx.actor.subject, idem: asked.idem };
  const left = await tools.soldOut.isHopeless(event, request, asker);
  if (left !== undefined) return { result: "sold_out", available: left };
  const extras = { event, addons: request.addons ?? [] };
  const stock = await tools.addons.take(extras);
  if (stock.kind === "short" && !isOwed(await tools.holders.within(event, SOLD_OUT_MS), asker))
    return { result: "addon_sold_out", addon: stock.addon, available: stock.available };

  let verdict = await ask(asked, tools, request);
  if (verdict.result === "conflict_retry") verdict = await ask(asked, tools, request);

  const isNew = verdict.result === "held" && !verdict.replayed;
  if (stock.kind === "go" && stock.taken && !isNew) tools.addons.give(extras);
  if (verdict.replayed) return verdict;
  if (isNew) tools.holders.add(event, ctx.actor.subject);
  if (verdict.result === "sold_out") tools.soldOut.note(event, request, verdict.available);
  if (verdict.freed) tools.soldOut.forget(event);
  if (isNew || verdict.freed) ctx.live.publish({ event });
  return verdict;
}

function ask(asked: Asked, tools: HoldTools, request: HoldRequest): Promise<Verdict> {
  if ("seats" in request) return holdChosen(asked, tools, request);
  if ("best" in request) return holdBest(asked, request);
  const { ctx, idem } = asked;
  return tools.combiner.hold({
    event: ctx.actor.event,
    zone: request.zone,
    ask: {
      hold: ctx.ids.newId("hold"),
      who: whoOf(ctx.actor),
      quantity: request.quantity,
      addons: request.addons,
      idem,
    },
  });
}

async function holdChosen(
  { ctx, idem }: Asked,
  tools: HoldTools,
  request: Extract<HoldRequest, { seats: unknown }>,
): Promise<Verdict> {
  const { event, subject } = ctx.actor;
  const wanted = { event, seats: request.seats, subject };
  const locked = await lockSeats(ctx.redis.locks, wanted);
  if (locked.kind === "busy") {
    const alternatives = await tools.alternatives.offer(event, request.seats);
    return { result: "seats_unavailable", unavailable: locked.seats, alternatives };
  }
  try {
    return await ctx.db.call<Verdict>("hold_seats", [
      event,
      ctx.ids.newId("hold"),
      whoOf(ctx.actor),
      request.seats,
      JSON.stringify(request.addons ?? []),
      idem,
    ]);
  } finally {
    if (locked.taken) unlockSeats(ctx.redis.locks, wanted);
  }
}

async function holdBest(
  { ctx, idem }: Asked,
  request: Extract<HoldRequest, { best: unknown }>,
): Promise<Verdict> {
  const call = (waits: number) =>
    ctx.db.call<Verdict>("hold_best", [
      ctx.actor.event,
      ctx.ids.newId("hold"),
      whoOf(ctx.actor),
      request.best,
      JSON.stringify(request.addons ?? []),
      idem,
      waits,
    ]);
  let verdict = await call(0);
  for (let waits = 1; verdict.result === "contended" && waits <= BEST_WAITS_MAX; waits += 1)
    verdict = await call(waits);
  return verdict;
}
