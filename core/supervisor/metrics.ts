import cluster from "node:cluster";
import { AggregatorRegistry, type Registry } from "prom-client";

/**
 * `/metrics` of several processes behind one port: whichever worker is asked asks the primary, which
 * asks them all and adds up (or takes the highest of what every process reads alike).
 */

const ASK_MS = 4_000;

type Question = { sira: "metrics"; id: number };
type Answer = { sira: "metrics-answer"; id: number; text: string | null };

const isQuestion = (message: unknown): message is Question =>
  typeof message === "object" &&
  message !== null &&
  "sira" in message &&
  message.sira === "metrics";
const isAnswer = (message: unknown): message is Answer =>
  typeof message === "object" &&
  message !== null &&
  "sira" in message &&
  message.sira === "metrics-answer";

/** In the primary. */
export function answerMetrics(): void {
  const all = new AggregatorRegistry();
  cluster.on("message", (worker, message: unknown) => {
    if (!isQuestion(message)) return;
    const answer = (text: string | null): void => {
      if (worker.isConnected())
        worker.send({ sira: "metrics-answer", id: message.id, text } satisfies Answer);
    };
    all.clusterMetrics().then(answer, () => answer(null));
  });
}

/** In a worker; alone, or when the primary cannot say, the process's own figures. */
export function createMetricsReader(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  AggregatorRegistry.setRegistries([registry]);
  // Answers the primary's questions; the library listens once it is made.
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string | null) => void>();
  let last = 0;
  process.on("message", (message: unknown) => {
    if (isAnswer(message)) waiting.get(message.id)?.(message.text);
  });
  return async () => {
    last += 1;
    const id = last;
    const text = await new Promise<string | null>((resolve) => {
      waiting.set(id, resolve);
      setTimeout(resolve, ASK_MS, null).unref();
      process.send?.({ sira: "metrics", id } satisfies Question);
    });
    waiting.delete(id);
    return text ?? (await registry.metrics());
  };
}
