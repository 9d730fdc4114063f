import { type Credential, call } from "../../kit/api.ts";
import { LINE_CACHE } from "../../kit/line-cache.ts";
import { canSound, ringSound } from "./sound.ts";
import type { MoreTexts } from "./texts/en.ts";

/** What this phone can do to wake somebody, and doing it. */

export type Abilities = {
  sound: boolean;
  vibration: boolean;
  notification: NotificationPermission | "none";
  push: boolean;
  /** An iPhone gives pages notifications only from its home screen. */
  needsHomeScreen: boolean;
};

const PATTERN_MS = [300, 150, 300, 150, 300];
const WORDS = "/line-words";

export function abilities(): Abilities {
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  return {
    sound: canSound(),
    vibration: "vibrate" in navigator && matchMedia("(pointer: coarse)").matches,
    notification: "Notification" in globalThis ? Notification.permission : "none",
    push: "PushManager" in globalThis && "serviceWorker" in navigator,
    needsHomeScreen: isApple && !("PushManager" in globalThis),
  };
}

/** Called: everything that this phone allows, at once. */
export async function wakeUp(event: string, texts: MoreTexts): Promise<void> {
  ringSound(2);
  if ("vibrate" in navigator) navigator.vibrate(PATTERN_MS);
  if (!document.hidden || abilities().notification !== "granted") return;
  const [title, body] = texts.pushCalled;
  const registration = await navigator.serviceWorker?.getRegistration("/e/");
  await registration?.showNotification(title, {
    body: body.replace("{n}", ""),
    tag: `sira-${event}`,
    requireInteraction: true,
    data: { path: `/e/${event}` },
  });
}

async function subscribe(): Promise<PushSubscriptionJSON | undefined> {
  const config = await call<{ push?: string }>("/api/config");
  if (config.kind !== "ok" || config.data.push === undefined) return undefined;
  const registration = await navigator.serviceWorker.getRegistration("/e/");
  const subscription = await registration?.pushManager
    .subscribe({
      userVisibleOnly: true,
      applicationServerKey: config.data.push,
    })
    .catch(() => undefined);
  return subscription?.toJSON();
}

/** @returns whether the gate has taken it: then it wakes this phone with the page closed as well. */
export async function askGate(
  event: string,
  more: { credential: Credential; texts: MoreTexts; email?: string; quiet?: boolean },
): Promise<{ push: boolean; mail: boolean }> {
  const { credential, texts, email, quiet } = more;
  const { push, notification } = abilities();
  const mayPush = push && notification === "granted" && quiet !== true;
  const subscription = mayPush ? await subscribe() : undefined;
  if (subscription) {
    // Pushed words are few bytes; what they say in this language lies here.
    const words = { near: texts.pushNear, called: texts.pushCalled };
    const cache = await caches.open(LINE_CACHE);
    await cache.put(WORDS, new Response(JSON.stringify(words)));
  }
  const { endpoint, keys } = subscription ?? {};
  const reply = await call(`/api/queue/${encodeURIComponent(event)}/wake`, {
    method: "PUT",
    credential,
    body: {
      ...(subscription ? { push: { endpoint, keys } } : {}),
      ...(email === undefined ? {} : { email, locale: document.documentElement.lang }),
    },
  });
  const isTaken = reply.kind === "ok";
  return { push: isTaken && subscription !== undefined, mail: isTaken && email !== undefined };
}
