// The typed client of one event's line. It adds the fence to every call, turns whatever Redis does into
// `away`, and decides nothing: the rules are in `lua/`.

import assert from "node:assert/strict";
import * as answers from "./answers.ts";
import { KEY_NAMES, lineKey, scriptKeys } from "./keys.ts";
import { COMMAND_TIMEOUT_MS, openLink } from "./link.ts";
import { LinkError } from "./link-error.ts";
import { type Reply, readReply, refusalOf, rowArgs } from "./replies.ts";
import type { Away, Fence, JoinInput, Line, LineOptions, ScriptName, Stale } from "./types.ts";

export const FILL_MAX = 1_000;
export const ARRIVALS_MAX = 1_000;
export const REFILL_ROWS_MAX = 500;
export const POOL_PAGE_MAX = 4_096;

interface Seen {
  readonly beat: number;
  readonly clock: number;
}

function receiptArgs(receipt: JoinInput["receipt"]): string[] {
  switch (receipt.kind) {
    case "none":
      return ["none", "0"];
    case "number":
      return ["number", String(receipt.number)];
    case "index":
      return ["index", String(receipt.index)];
  }
}

function awayOf(error: unknown): Away {
  if (!(error instanceof LinkError)) throw error;
  return { state: "away", reason: error.reason, maybeDone: error.maybeDone, detail: error.message };
}

export function openLine(options: LineOptions): Line {
  assert(
    !/[{}\s]/.test(options.event),
    "an event id cannot hold braces: it is the hash tag of its keys",
  );
  const name = { prefix: options.prefix ?? "", event: options.event };
  const link = openLink({
    url: options.url,
    key: lineKey(name, 0, "META"),
    scripts: options.scripts,
    commandTimeoutMs: options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS,
  });
  // The highest beat heard of under the present fence: a server that knows only less has lost writes.
  let heard = { epoch: -1, restore: -1, beat: 0 };

  function beatFor(fence: Fence): number {
    return heard.epoch === fence.epoch && heard.restore === fence.restore ? heard.beat : 0;
  }

  async function ask<T>(
    script: ScriptName,
    call: { fence: Fence; beat?: number; args: readonly string[] },
    read: (reply: Reply, seen: Seen) => T,
  ): Promise<T | Away | Stale> {
    const { fence } = call;
    const args = [
      String(fence.restore),
      String(call.beat ?? beatFor(fence)),
      options.now ? String(options.now()) : "",
      ...call.args,
    ];
    try {
      const raw = await link.run(script, scriptKeys(name, fence.epoch, script), args);
      const reply = readReply(raw);
      const refusal = refusalOf(reply);
      if (refusal) return refusal;
      const seen = { beat: reply.int(), clock: reply.int() };
      heard = {
        epoch: fence.epoch,
        restore: fence.restore,
        beat: Math.max(beatFor(fence), seen.beat),
      };
      return read(reply, seen);
    } catch (error) {
      return awayOf(error);
    }
  }

  /** For scripts that know no `gen` and so cannot answer `stale`. */
  async function askDoor<T>(
    script: ScriptName,
    call: { fence: Fence; args: readonly string[] },
    read: (reply: Reply, seen: Seen) => T,
  ): Promise<T | Away> {
    const result = await ask(script, call, (reply, seen) => ({ read: read(reply, seen) }));
    if ("read" in result) return result.read;
    assert(result.state === "away", "a script without gen answered stale");
    return result;
  }

  const placeArgs = (input: { place: string; number: number | null }) => [
    input.place,
    String(input.number ?? 0),
  ];

  return {
    join: (fence, input) =>
      askDoor(
        "join",
        { fence, args: [input.place, ...receiptArgs(input.receipt)] },
        answers.joinAnswer,
      ),
    turn: (fence, input) => {
      const args = [...placeArgs(input), input.hidden ? "1" : "0", ...rowArgs(input.row)];
      return askDoor("turn", { fence, args }, (reply, seen) =>
        answers.turnAnswer(reply, seen.clock),
      );
    },
    peek: (fence, input) =>
      askDoor("peek", { fence, args: placeArgs(input) }, (reply, seen) =>
        answers.turnAnswer(reply, seen.clock),
      ),
    release: (fence, input) =>
      askDoor("release", { fence, args: [input.place, input.jti] }, answers.releaseAnswer),
    extend: (fence, input) => {
      const args = [input.place, input.jti, String(input.untilMs)];
      return askDoor("extend", { fence, args }, answers.extendAnswer);
    },
    leave: (fence, input) =>
      askDoor(
        "leave",
        { fence, args: [...placeArgs(input), ...rowArgs(input.row)] },
        answers.leaveAnswer,
      ),
    tick: (fence, input) =>
      ask("tick", { fence, beat: input.beat, args: [JSON.stringify(input)] }, answers.tickAnswer),
    fill: (fence, input) => {
      assert(input.indexes.length <= FILL_MAX, "too many numbers for one fill");
      const args = [input.gen, input.start, ...input.indexes].map(String);
      return ask("fill", { fence, args }, answers.fillAnswer);
    },
    arrivals: (fence, input) => {
      assert(input.arrivals.length <= ARRIVALS_MAX, "too many arrivals for one call");
      const pairs = input.arrivals.flatMap((arrival) => [arrival.place, String(arrival.at)]);
      return ask(
        "arrivals",
        { fence, args: [String(input.gen), ...pairs] },
        answers.arrivalsAnswer,
      );
    },
    admit: (fence, input) =>
      ask("admit", { fence, args: [String(input.gen), input.place] }, answers.admitAnswer),
    figures: (fence) => askDoor("figures", { fence, args: [] }, answers.figuresAnswer),
    pool: (fence, input) => {
      assert(input.count <= POOL_PAGE_MAX, "too many indexes for one page");
      const args = [input.from, input.count].map(String);
      return askDoor("pool", { fence, args }, answers.poolAnswer);
    },
    refillBegin: (fence, input) => {
      const args = ["begin", String(input.gen), JSON.stringify(input)];
      return ask("refill", { fence, beat: input.beat, args }, (reply, seen) =>
        answers.refillAnswer(reply, seen.clock),
      );
    },
    refillRows: (fence, input) => {
      assert(input.rows.length <= REFILL_ROWS_MAX, "too many rows for one call");
      const rows = input.rows.flatMap((row) => {
        const [kind = "", ...values] = rowArgs(row);
        return [kind, row.place, ...values];
      });
      const args = ["rows", String(input.gen), ...rows];
      return ask("refill", { fence, args }, (reply, seen) =>
        answers.refillAnswer(reply, seen.clock),
      );
    },
    refillEnd: (fence, input) =>
      ask("refill", { fence, args: ["end", String(input.gen)] }, (reply, seen) =>
        answers.refillAnswer(reply, seen.clock),
      ),
    unlinkEpoch: async (epoch) => {
      try {
        await link.unlink(KEY_NAMES.map((key) => lineKey(name, epoch, key)));
        return { state: "ok" };
      } catch (error) {
        return awayOf(error);
      }
    },
    ping: async () => {
      try {
        const live = await link.live();
        await link.ping();
        return { state: "ok", server: live.server };
      } catch (error) {
        return awayOf(error);
      }
    },
    close: () => link.close(),
  };
}
