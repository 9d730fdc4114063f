import { serverNow } from "../kit/clock.ts";
import { forgetKey } from "../kit/proof.ts";
import { load, remove } from "../kit/store.ts";
import { type Facts, freshFacts } from "./facts.ts";
import {
  joinLine,
  type KeptPlace,
  leaveLine,
  placeKey,
  readStatus,
  type Step,
  takeTurn,
} from "./line.ts";
import { ownNumber } from "./own-number.ts";
import { doorAnswers, isNear, nextPollMs } from "./poll.ts";

/**
 * Keeps the facts fresh. However many tabs are open, the one that holds the event's Web Lock polls
 * and the others listen; when its tab goes, the next holder carries on at once. A tab that comes to
 * the eye takes the lock over, since browsers slow hidden tabs down.
 */
export type Poller = { leave(): Promise<void>; joinAgain(): Promise<void> };

export function startPoller(
  event: string,
  options: {
    locale: () => string;
    /** The person asked for more time: the door waits for this page as for one in the background. */
    slow: () => boolean;
    /** From a link that brings a place along to this browser. */
    move: string | undefined;
    onChange: (facts: Facts, leading: boolean) => void;
  },
): Poller {
  let facts = freshFacts(event);
  let leading = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy: Promise<void> | undefined;
  let presentAt: number | undefined;
  /** By `performance.now()`: a refusal asked not to be asked again before. */
  let notBefore = 0;
  let { move } = options;
  let replace = move !== undefined;
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(`sira-${event}`) : undefined;

  function publish(next: Facts): void {
    facts = next;
    options.onChange(facts, leading);
    if (leading) channel?.postMessage(facts);
  }

  /** After a refill of the line's store each place shows its receipt once, spread over time. */
  function isDueToPresent(): boolean {
    const restored = facts.status?.restored;
    if (!restored || restored.beat === facts.presentedBeat) return false;
    presentAt ??= performance.now() + Math.random() * restored.spreadMs;
    if (performance.now() < presentAt) return false;
    presentAt = undefined;
    publish({ ...facts, presentedBeat: restored.beat });
    return true;
  }

  async function ask(): Promise<number | undefined> {
    const take = (step: Step) => {
      // An answer that was on its way when the person left says nothing new.
      if (facts.end !== "left") publish(step.facts);
      return step.retryAfterMs;
    };
    const isFirst = facts.status === undefined;
    const needsPlace = facts.token === undefined;
    // A place without number or index is on its way into the line; the receipt fetches it.
    const isUnnumbered = facts.number === undefined && facts.place?.index === undefined;
    let wait: number | undefined;
    if (needsPlace || (isUnnumbered && !isFirst) || isDueToPresent())
      wait = take(await joinLine(facts, { locale: options.locale(), replace, move }));
    else wait = take(await readStatus(facts));
    // Whoever is not let into the line still sees whose line it is, and how it stands.
    if (facts.end && facts.end !== "unknown" && !facts.status) take(await readStatus(facts));
    if (facts.token !== undefined || facts.end) {
      replace = false;
      move = undefined;
    }
    if (facts.failures > 0 || facts.end) return wait;
    const computed = await ownNumber(facts);
    if (computed !== facts.number)
      publish(computed === undefined ? facts : { ...facts, number: computed });
    const asksDoor = doorAnswers(facts) && (isFirst || isNear(facts));
    if (asksDoor) wait = take(await takeTurn(facts, document.hidden || options.slow()));
    return wait;
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(beat, ms);
  }

  function beat(): void {
    clearTimeout(timer);
    // One request chain at a time, whoever asks for it.
    if (busy || !leading || facts.end) return;
    busy = ask()
      .catch((error: unknown) => {
        console.error(error);
        publish({ ...facts, failures: facts.failures + 1, trouble: "server" });
        return undefined;
      })
      .then((retryAfterMs) => {
        busy = undefined;
        if (!leading || facts.end) return;
        if (facts.failures > 0) notBefore = performance.now() + (retryAfterMs ?? 0);
        const { hidden } = document;
        const near = nextPollMs({
          facts,
          hidden,
          retryAfterMs,
          now: serverNow(),
          random: Math.random(),
        });
        schedule(near);
      });
  }

  /** At once: somebody looks, or the network is back. A refusal's own time is kept all the same. */
  function beatSooner(): void {
    const rest = notBefore - performance.now();
    if (rest <= 0) beat();
    else if (leading && !busy) schedule(rest * (1 + Math.random() / 5));
  }

  async function lead(): Promise<void> {
    leading = true;
    const kept = await load<KeptPlace>(placeKey(event));
    if (kept && facts.token === undefined && move === undefined) facts = { ...facts, ...kept };
    publish(facts);
    beat();
  }

  function compete(steal: boolean): void {
    if (!("locks" in navigator)) {
      void lead();
      return;
    }
    navigator.locks
      .request(`sira-poll-${event}`, steal ? { steal } : {}, async () => {
        await lead();
        await new Promise(() => {});
      })
      .catch(() => {
        // Another tab of ours came to the eye. This one listens, and waits for its turn.
        leading = false;
        clearTimeout(timer);
        compete(false);
      });
  }

  channel?.addEventListener("message", (message: MessageEvent<Facts>) => {
    const { data } = message;
    // The tab that leads believes only one thing from the others: that the fan has left.
    if (leading && data.end !== "left") return;
    facts = data;
    if (leading) clearTimeout(timer);
    options.onChange(facts, leading);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (leading) beatSooner();
    else compete(true);
  });
  addEventListener("online", beatSooner);
  compete(!document.hidden);

  return {
    async leave() {
      await busy;
      publish((await leaveLine(facts)).facts);
      if (!leading) channel?.postMessage(facts);
    },
    async joinAgain() {
      const { status, end } = facts;
      // One of two places goes, and the one that this browser can prove stays as it is.
      replace = end === "conflict";
      const forgets = end === "left" || end === "gone" ? [forgetKey(event)] : [];
      await Promise.all([remove(placeKey(event)), remove(`admission:${event}`), ...forgets]);
      publish({ ...freshFacts(event), ...(status ? { status } : {}) });
      if (leading) beat();
      else compete(true);
    },
  };
}
