/** Near the front the screen stays on, where the browser lets a page ask for that. */

let lock: WakeLockSentinel | undefined;
let asking = false;

export async function stayAwake(wanted: boolean): Promise<void> {
  if (!wanted || document.hidden) {
    const held = lock;
    lock = undefined;
    await held?.release();
    return;
  }
  if (asking || (lock && !lock.released) || !("wakeLock" in navigator)) return;
  asking = true;
  // A low battery refuses, and that is the phone's good right.
  lock = await navigator.wakeLock.request("screen").catch(() => undefined);
  asking = false;
}
