import type { OrderView } from "../../../shared/contract/orders.ts";
import { type Credential, findCore } from "../kit/api.ts";

/**
 * Hears what becomes of the order in the moment it does: paid, with its tickets. An EventSource could
 * not show the order's token, so the stream is read by `fetch`. Where it breaks, asking goes on.
 */

const AGAIN_MS = 4_000;

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Until the signal; an order that has ended has nothing more to tell. */
export async function listenToOrder(
  order: string,
  how: { credential: Credential; signal: AbortSignal; onOrder: (order: OrderView) => void },
): Promise<void> {
  const { credential, signal, onOrder } = how;
  const core = await findCore();
  while (core !== undefined && !signal.aborted) {
    try {
      const response = await fetch(`${core}/v1/orders/${encodeURIComponent(order)}/stream`, {
        headers: { authorization: `${credential.scheme} ${credential.token}` },
        signal,
      });
      // Refused for good, or too busy: asking is the way then.
      if (!response.ok || !response.body) return;
      for await (const line of linesOf(response.body))
        if (line.startsWith("data: ")) onOrder(JSON.parse(line.slice("data: ".length)));
    } catch {
      // Cut; or the page is on its way elsewhere.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * (0.75 + Math.random() / 2)));
  }
}
