import type { Context } from "hono";
import { Refusal } from "../../shared/errors.ts";
import type { Deps } from "../context.ts";
import type { LiveMessage, Subscription } from "./live.ts";

/** Turns live messages into an SSE response; one heartbeat timer serves all streams of a process. */

const HEARTBEAT_MS = 15_000;
/** A page that reads this far behind is cut off; it comes back with its last id. */
const BUFFERED_MESSAGES_MAX = 256;
const STREAMS_MAX = 20_000;
/** What a page waits before it reconnects, spread by the server so that a restart is no stampede. */
const retryMs = () => 2_000 + Math.floor(Math.random() * 4_000);

const encoder = new TextEncoder();

export function formatMessage(message: Exclude<LiveMessage, { kind: "end" }>): string {
  switch (message.kind) {
    case "snapshot": {
      const { version } = message;
      return `id: ${version}\nevent: snapshot\ndata: ${JSON.stringify({ version })}\n\n`;
    }
    case "delta": {
      const { delta } = message;
      return `id: ${delta.version}\nevent: delta\ndata: ${JSON.stringify(delta)}\n\n`;
    }
  }
}

type Open = ReadableStreamDefaultController<Uint8Array>;

export function createStreams(deps: Pick<Deps, "live">) {
  const open = new Set<Open>();
  let heartbeat: NodeJS.Timeout | undefined;

  const send = (controller: Open, text: string, cut: () => void) => {
    if ((controller.desiredSize ?? 0) <= -BUFFERED_MESSAGES_MAX) return cut();
    controller.enqueue(encoder.encode(text));
  };

  const beat = () => {
    for (const controller of open)
      if ((controller.desiredSize ?? 0) > -BUFFERED_MESSAGES_MAX)
        controller.enqueue(encoder.encode(": \n\n"));
  };

  const add = (controller: Open) => {
    open.add(controller);
    heartbeat ??= setInterval(beat, HEARTBEAT_MS);
  };

  const remove = (controller: Open) => {
    open.delete(controller);
    if (open.size > 0) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
  };

  return {
    size: () => open.size,
    async open(c: Context, event: string, since: number | undefined): Promise<Response> {
      if (open.size >= STREAMS_MAX) throw new Refusal("overloaded", { reason: "too many streams" });
      let subscription: Subscription | undefined;
      let controller: Open | undefined;
      let ended = false;
      const end = () => {
        ended = true;
        subscription?.close();
        if (controller && open.has(controller)) remove(controller);
      };
      const cut = () => {
        end();
        controller?.close();
      };
      const body = new ReadableStream<Uint8Array>({
        start(made) {
          controller = made;
          add(made);
          made.enqueue(encoder.encode(`retry: ${retryMs()}\n\n`));
        },
        cancel: end,
      });
      const listener = (message: LiveMessage) => {
        if (ended || !controller) return;
        if (message.kind === "end") cut();
        else send(controller, formatMessage(message), cut);
      };
      try {
        subscription = await deps.live.subscribe(event, listener, since);
      } catch (error) {
        end();
        throw error;
      }
      if (ended) subscription.close();
      c.req.raw.signal.addEventListener("abort", end, { once: true });
      c.header("content-type", "text/event-stream");
      c.header("cache-control", "no-store, no-transform");
      c.header("x-accel-buffering", "no");
      return c.body(body);
    },
  };
}
