import { randomUUID } from "node:crypto";
import type { Registry } from "prom-client";
import type { Job, JobCtx } from "../jobs/registry.ts";
import { createJudge, type Notice } from "./judge.ts";
import { readFacts } from "./readings.ts";
import { RULES, type Rule, type Sample } from "./rules.ts";
import { keepRinging, takeOver } from "./standing.ts";

const EVERY_MS = 5_000;
/** Several processes see the same trouble; one of them tells it. */
const TOLD_MS = 60_000;
const UNTOLD_MAX = 100;

/** Every counter and gauge of the process; histograms have no single value. */
export async function samplesOf(registry: Registry): Promise<Sample[]> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics.flatMap(({ name, values }) =>
    values.map(({ labels, value }) => ({
      metric: name,
      labels: Object.fromEntries(
        Object.entries(labels).map(([label, text]) => [label, String(text)]),
      ),
      value,
    })),
  );
}

async function isOursToTell(ctx: JobCtx, notice: Notice): Promise<boolean> {
  const { locks } = ctx.redis;
  const key = `${locks.prefix}alarm:${notice.name}:${notice.state}`;
  const answer = await locks.attempt((client) => client.set(key, "1", "PX", TOLD_MS, "NX"));
  return !answer.ok || answer.value === "OK";
}

async function post(ctx: JobCtx, url: string, notice: Notice): Promise<void> {
  const answer = await ctx.outbound.send({
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(notice),
  });
  if (!answer.ok) throw new Error(`the alarm webhook: ${answer.error}`);
  const { status } = answer.value;
  if (Math.floor(status / 100) !== 2) throw new Error(`the alarm webhook answered ${status}`);
}

/**
 * Reads, judges, and posts each beginning and each end of an alarm to `ALARM_WEBHOOK_URL`, again at
 * the next look when the webhook did not take it. Without a webhook the log is told. What rings is
 * kept in Redis, so that its end is told also when this process does not live to see it.
 */
export function alarmJob(rules: readonly Rule[] = RULES): Job {
  const judge = createJudge(rules);
  const instance = randomUUID();
  const untold: Notice[] = [];
  return {
    name: "alarms",
    everyMs: EVERY_MS,
    async run(ctx) {
      await readFacts(ctx);
      for (const left of await takeOver(ctx, instance)) judge.adopt(left, ctx.clock.now());
      const notices = judge.look(await samplesOf(ctx.metrics.registry), ctx.clock.now());
      const firing = ctx.metrics.gauge("sira_alarms_firing", "Alarms that ring just now.");
      firing.set(judge.ringing().length);
      await keepRinging(ctx, instance, judge.ringing());
      for (const notice of notices) {
        ctx.log.warn({ alarm: notice }, "alarm");
        if (await isOursToTell(ctx, notice)) untold.push(notice);
      }
      untold.splice(0, Math.max(0, untold.length - UNTOLD_MAX));
      const url = ctx.config.alarmWebhookUrl;
      let told = 0;
      while (url !== undefined && untold[0] !== undefined) {
        await post(ctx, url, untold[0]);
        untold.shift();
        told += 1;
      }
      if (url === undefined) untold.length = 0;
      return told;
    },
  };
}
