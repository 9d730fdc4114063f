/**
 * Every alarm of the core, in one table: what is read from our own metrics, from when on it counts,
 * and how long it must last. `ops/prometheus-rules.json` says the same to Prometheus; a test compares
 * the two.
 */

/** A sample as the metrics registry gives it. */
export type Sample = { metric: string; labels: Readonly<Record<string, string>>; value: number };

export type Rule = {
  name: string;
  metric: string;
  labels?: Readonly<Record<string, string>>;
  /** `value`: the greatest sample; `rise`: how much the sum has grown since the last look. */
  read: "value" | "rise";
  /** Rings when above. */
  above: number;
  forMs: number;
  /** For whoever is woken. */
  meaning: string;
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export const RULES: readonly Rule[] = [
  {
    name: "database_away",
    metric: "sira_db_away",
    read: "value",
    above: 0,
    forMs: 5 * SECOND_MS,
    meaning: "PostgreSQL does not answer; nothing is sold.",
  },
  {
    name: "database_queue",
    metric: "sira_db_pool",
    labels: { what: "waiting" },
    read: "value",
    above: 200,
    forMs: 10 * SECOND_MS,
    meaning: "Statements wait for connections: lower the admission rate, or add capacity.",
  },
  {
    name: "database_shed",
    metric: "sira_db_pool",
    labels: { what: "shed" },
    read: "rise",
    above: 0,
    forMs: 0,
    meaning: "Requests were refused because the database could not serve them in time.",
  },
  {
    name: "redis_locks_away",
    metric: "sira_redis_away",
    labels: { side: "locks" },
    read: "value",
    above: 0,
    forMs: 10 * SECOND_MS,
    meaning: "Locks are off: sales go on, proofs are remembered by each process alone.",
  },
  {
    name: "redis_cache_away",
    metric: "sira_redis_away",
    labels: { side: "cache" },
    read: "value",
    above: 0,
    forMs: 10 * SECOND_MS,
    meaning: "No carts, no presence; live updates come by polling.",
  },
  {
    name: "redis_line_away",
    metric: "sira_redis_away",
    labels: { side: "line" },
    read: "value",
    above: 0,
    forMs: 10 * SECOND_MS,
    meaning: "The gate's line cannot be asked: nobody new is admitted.",
  },
  {
    name: "redis_memory",
    metric: "sira_redis_memory_ratio",
    read: "value",
    above: 0.8,
    forMs: 10 * SECOND_MS,
    meaning: "A Redis is nearly full; one that must not evict will refuse writes.",
  },
  {
    name: "redis_locks_evicted",
    metric: "sira_redis_evicted_keys",
    labels: { side: "locks" },
    read: "rise",
    above: 0,
    forMs: 0,
    meaning: "Locks or used proofs were evicted: set maxmemory-policy to noeviction.",
  },
  {
    name: "redis_slow",
    metric: "sira_redis_ping_seconds",
    read: "value",
    above: 0.05,
    forMs: 10 * SECOND_MS,
    meaning: "A Redis answers slower than the fast path waits for it.",
  },
  {
    name: "holds_overdue",
    metric: "sira_holds_overdue",
    read: "value",
    above: 0,
    forMs: 30 * SECOND_MS,
    meaning: "Holds past their time are not swept: is a process with jobs running?",
  },
  {
    name: "outbox_behind",
    metric: "sira_outbox_age_seconds",
    read: "value",
    above: 60,
    forMs: 0,
    meaning: "Events of orders are not relayed: mails and slot releases are late.",
  },
  {
    name: "jobs_failing",
    metric: "sira_job_failed_total",
    read: "rise",
    above: 3,
    forMs: 0,
    meaning: "Background jobs fail again and again; the log says why.",
  },
  {
    name: "payment_unknown",
    metric: "sira_payment_unknown_age_seconds",
    read: "value",
    above: 300,
    forMs: 0,
    meaning: "A payment has had no known outcome for minutes.",
  },
  {
    name: "payment_unsettled",
    metric: "sira_payment_unsettled",
    read: "value",
    above: 0,
    forMs: 2 * MINUTE_MS,
    meaning: "Money was taken and neither order nor refund stands against it.",
  },
  {
    name: "payment_review",
    metric: "sira_payment_review",
    read: "value",
    above: 0,
    forMs: 0,
    meaning: "A charge of a wrong amount waits for a person.",
  },
  {
    name: "double_charges",
    metric: "sira_payment_doubles_per_100000",
    read: "value",
    above: 0,
    forMs: 0,
    meaning: "Somebody was charged twice today; the second charge is being refunded.",
  },
  {
    name: "same_again",
    metric: "sira_payment_same_again_level",
    read: "value",
    above: 3,
    forMs: 0,
    meaning:
      "The same method and amount is charged again far more often than usual: do pages or shops repeat?",
  },
  {
    name: "books_differ",
    metric: "sira_reconciliation_differences",
    read: "value",
    above: 0,
    forMs: 0,
    meaning: "The nightly comparison of the books found differences: see the reconciliation queue.",
  },
  {
    name: "refunds_behind",
    metric: "sira_refund_age_seconds",
    read: "value",
    above: 3_600,
    forMs: 0,
    meaning: "A refund has been open for more than an hour.",
  },
  {
    name: "webhooks_parked",
    metric: "sira_webhooks_parked",
    read: "value",
    above: 0,
    forMs: 5 * MINUTE_MS,
    meaning: "The provider speaks of charges that we do not know.",
  },
  {
    name: "gate_away",
    metric: "sira_gate_away",
    read: "value",
    above: 0,
    forMs: 10 * SECOND_MS,
    meaning: "The gate or its line does not answer: nobody new is admitted.",
  },
  {
    name: "mails_behind",
    metric: "sira_mail_age_seconds",
    read: "value",
    above: 300,
    forMs: 0,
    meaning: "The mail server has not taken a mail for minutes: buyers wait for their tickets.",
  },
  {
    name: "webhooks_behind",
    metric: "sira_webhook_age_seconds",
    read: "value",
    above: 3_600,
    forMs: 0,
    meaning: "An organizer's address has not taken a webhook for an hour.",
  },
];
