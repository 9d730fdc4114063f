// What the crowd of a fault run shares: how it calls, what it writes down, and what is in flight.
import { setTimeout as sleep } from "node:timers/promises";
import type { History, Op, Outcome } from "../invariants/history.ts";
import type { Town } from "./town.ts";

export type Tier = "gate" | "core";
export type Dice = {
  next(): number;
  below(n: number): number;
  pick<T>(list: readonly T[]): T;
};

export type Answer = {
  readonly outcome: Outcome;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number;
};

/** One answer as a client saw it. */
export type Seen = {
  readonly tier: Tier;
  readonly outcome: Outcome;
  readonly code: string | undefined;
  readonly tookMs: number;
};

export type Call = {
  readonly tier: Tier;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

const CALL_TIMEOUT_MS = 12_000;

export class Load {
  readonly inFlight: Record<Tier, number> = { gate: 0, core: 0 };
  /** When calls that were begun after `since` were answered well, newest last. */
  readonly successes: Record<Tier, { startedAt: number; at: number }[]> = { gate: [], core: [] };
  /** Every answer, for whoever wants to know what people saw meanwhile. */
  onAnswer: (answer: Seen) => void = () => undefined;
  operations = 0;
  readonly town: Town;
  readonly history: History;
  readonly dice: Dice;
  readonly stopping = new AbortController();
  /** Holds that live, for those who try to take other people's. */
  readonly holds: { readonly id: string; readonly place: string }[] = [];

  constructor(town: Town, history: History, dice: Dice) {
    this.town = town;
    this.history = history;
    this.dice = dice;
  }

  get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  /** One call; a connection that ends without an answer is `cut`. */
  async call(call: Call): Promise<Answer> {
    const { tier, method, path, headers = {}, timeoutMs = CALL_TIMEOUT_MS } = call;
    const origin = tier === "gate" ? this.town.edge : this.town.core;
    const startedAt = Date.now();
    this.operations += 1;
    this.inFlight[tier] += 1;
    try {
      const response = await fetch(origin + path, {
        method,
        headers: {
          ...(call.body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (response.status < 500 && response.status !== 429)
        this.successes[tier].push({ startedAt, at: Date.now() });
      const body = readJson(text);
      const tookMs = Date.now() - startedAt;
      this.onAnswer({ tier, outcome: response.status, code: textOf(body, "code"), tookMs });
      return {
        outcome: response.status,
        body,
        retryAfterMs: Number(response.headers.get("retry-after") ?? 0) * 1_000,
      };
    } catch {
      this.onAnswer({ tier, outcome: "cut", code: undefined, tookMs: Date.now() - startedAt });
      return { outcome: "cut", body: {}, retryAfterMs: 0 };
    } finally {
      this.inFlight[tier] -= 1;
    }
  }

  note(who: string, op: Op, answer: Answer, more: Partial<Parameters<History["note"]>[0]> = {}) {
    const code = answer.body["code"];
    this.history.note({
      who,
      op,
      outcome: answer.outcome,
      ...(typeof code === "string" ? { code } : {}),
      ...more,
    });
  }

  /** The same call again until it is answered, as a page that was told nothing does. */
  async insist(call: () => Promise<Answer>, triesMax = 8): Promise<Answer> {
    let answer = await call();
    for (let tries = 1; tries < triesMax && isNoAnswer(answer) && !this.stopped; tries += 1) {
      await this.pause(100 + this.dice.below(600));
      answer = await call();
    }
    return answer;
  }
}

export const isNoAnswer = ({ outcome, body }: Answer): boolean =>
  outcome === "cut" ||
  outcome >= 500 ||
  outcome === 429 ||
  body["code"] === "conflict_retry" ||
  body["code"] === "idempotency_in_flight";

export const textOf = (
  body: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined => (typeof body[name] === "string" ? body[name] : undefined);

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
