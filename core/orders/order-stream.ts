import type { Context } from "hono";
import { Refusal } from "../../shared/errors.ts";
import type { BuyerActor, Ctx } from "../context.ts";
import { readOrder } from "./read-order.ts";

/**
 * An order as it becomes, to its open page: the order whole at once and after every change, its tickets
 * in it. The page asks with its order's token, so it reads the stream by `fetch`.
 */

const HEARTBEAT_MS = 15_000;
/** A page that waits longer comes back; nobody watches a finished order for ever. */
const STREAM_MS_MAX = 600_000;
const STREAMS_MAX = 20_000;

const encoder = new TextEncoder();

export async function streamOrder(
  ctx: Ctx<BuyerActor>,
  c: Context,
  order: string,
): Promise<Response> {
  if (ctx.live.orderListeners() >= STREAMS_MAX)
    throw new Refusal("overloaded", { reason: "too many streams" });
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let isOver = false;
      let said = "";
      let telling: Promise<void> = Promise.resolve();
      const write = (text: string) => controller.enqueue(encoder.encode(text));
      const tell = async () => {
        const { now, ...rest } = await readOrder(ctx, order);
        // The clock alone is no news.
        const text = JSON.stringify(rest);
        if (text === said || isOver) return;
        said = text;
        write(`event: order\ndata: ${JSON.stringify({ ...rest, now })}\n\n`);
      };
      const heartbeat = setInterval(() => write(": \n\n"), HEARTBEAT_MS);
      const timer = setTimeout(() => end(), STREAM_MS_MAX);
      const subscription = ctx.live.watchOrder(order, (what) => {
        if (what === "end") return end();
        // One read after the other, so that an older state never follows a newer one.
        telling = telling.then(tell).catch(() => end());
      });
      end = () => {
        if (isOver) return;
        isOver = true;
        clearInterval(heartbeat);
        clearTimeout(timer);
        subscription.close();
        try {
          controller.close();
        } catch {
          // The page has closed it already.
        }
      };
      telling = tell().catch(() => end());
    },
    cancel: () => end(),
  });
  c.req.raw.signal.addEventListener("abort", () => end(), { once: true });
  c.header("content-type", "text/event-stream");
  c.header("cache-control", "no-store, no-transform");
  c.header("x-accel-buffering", "no");
  return c.body(body);
}
