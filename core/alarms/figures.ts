import type { Ctx } from "../context.ts";
import type { Job } from "../jobs/registry.ts";

/** What a buyer waits for after the payment: tickets, their mails, and what organizers are told. */

const EVERY_MS = 15_000;

/** Of the last day, except for what is still owed, which counts however old. */
const FIGURES = `
  select
    (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select state, count(*) as n from tickets
      where created_at > now() - interval '1 day' group by state) x) as tickets,
    (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select state, count(*) as n from mails
      where created_at > now() - interval '1 day' group by state) x) as mails,
    (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from mails
      where state = 'sending') as "mailAgeS",
    (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select state, count(*) as n from webhook_deliveries
      where created_at > now() - interval '1 day' group by state) x) as deliveries,
    (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8
      from webhook_deliveries where state = 'waiting') as "deliveryAgeS"`;

type Figures = {
  tickets: Record<string, number>;
  mails: Record<string, number>;
  mailAgeS: number;
  deliveries: Record<string, number>;
  deliveryAgeS: number;
};

function setByState(ctx: Ctx, name: string, help: string, values: Record<string, number>): void {
  const gauge = ctx.metrics.gauge(name, help, ["state"]);
  gauge.reset();
  for (const [state, value] of Object.entries(values)) gauge.set({ state }, value);
}

export const figuresJob: Job = {
  name: "figures",
  everyMs: EVERY_MS,
  async run(ctx) {
    const [row] = await ctx.db.read<Figures>(FIGURES);
    if (row === undefined) return 0;
    setByState(ctx, "sira_tickets", "Tickets of the last day.", row.tickets);
    setByState(ctx, "sira_mails", "Mails of the last day.", row.mails);
    setByState(ctx, "sira_webhook_deliveries", "Webhooks of the last day.", row.deliveries);
    ctx.metrics
      .gauge("sira_mail_age_seconds", "Age of the oldest mail that no server has taken.")
      .set(row.mailAgeS);
    ctx.metrics
      .gauge("sira_webhook_age_seconds", "Age of the oldest webhook that nobody has taken.")
      .set(row.deliveryAgeS);
    return 0;
  },
};
