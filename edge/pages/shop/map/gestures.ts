/** Fingers, mouse and wheel on the plan: pan with momentum, pinch, wheel zoom, tap. */

export type Gestures = {
  onPan: (dx: number, dy: number) => void;
  onZoom: (at: { px: number; py: number }, factor: number) => void;
  onTap: (px: number, py: number) => void;
  /** The last finger has left; the speed in pixels a millisecond. */
  onRelease: (vx: number, vy: number) => void;
  onTouch: () => void;
};

/** A finger that moved farther was not tapping. */
const TAP_PX = 8;
/** Older movements say nothing about how fast the finger was in the end. */
const RECENT_MS = 90;

type Point = { x: number; y: number };

/** How fast a finger went in its last moments. */
function createSpeed() {
  let trail: { at: number; dx: number; dy: number }[] = [];
  return {
    note(at: number, dx: number, dy: number) {
      trail = [...trail.filter((each) => at - each.at < RECENT_MS), { at, dx, dy }];
    },
    take(at: number): { vx: number; vy: number } {
      const recent = trail.filter((each) => at - each.at < RECENT_MS);
      trail = [];
      const ms = Math.max(16, at - (recent[0]?.at ?? at));
      const sum = (of: "dx" | "dy") => recent.reduce((total, each) => total + each[of], 0) / ms;
      return { vx: sum("dx"), vy: sum("dy") };
    },
  };
}

export function listenGestures(target: HTMLElement, gestures: Gestures): () => void {
  const fingers = new Map<number, Point>();
  const speed = createSpeed();
  let moved = 0;
  const local = (event: PointerEvent | WheelEvent): Point => {
    const box = target.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent) => {
    target.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, local(event));
    moved = fingers.size === 1 ? 0 : TAP_PX + 1;
    gestures.onTouch();
  };
  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = local(event);
    fingers.set(event.pointerId, now);
    const dx = now.x - before.x;
    const dy = now.y - before.y;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) {
      moved += Math.hypot(dx, dy);
      if (moved <= TAP_PX) return;
      speed.note(event.timeStamp, dx, dy);
      gestures.onPan(dx, dy);
      return;
    }
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(now.x - other.x, now.y - other.y);
    gestures.onPan(dx / 2, dy / 2);
    if (was > 0)
      gestures.onZoom({ px: (now.x + other.x) / 2, py: (now.y + other.y) / 2 }, is / was);
  };
  const up = (event: PointerEvent) => {
    const at = local(event);
    const isTap = fingers.size === 1 && moved <= TAP_PX && event.type === "pointerup";
    fingers.delete(event.pointerId);
    if (isTap) gestures.onTap(at.x, at.y);
    else if (fingers.size === 0) {
      const { vx, vy } = speed.take(event.timeStamp);
      gestures.onRelease(vx, vy);
    }
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const at = local(event);
    gestures.onTouch();
    gestures.onZoom({ px: at.x, py: at.y }, Math.exp(-event.deltaY * 0.0022));
  };
  target.addEventListener("pointerdown", down);
  target.addEventListener("pointermove", move);
  target.addEventListener("pointerup", up);
  target.addEventListener("pointercancel", up);
  target.addEventListener("wheel", wheel, { passive: false });
  return () => {
    target.removeEventListener("pointerdown", down);
    target.removeEventListener("pointermove", move);
    target.removeEventListener("pointerup", up);
    target.removeEventListener("pointercancel", up);
    target.removeEventListener("wheel", wheel);
  };
}
