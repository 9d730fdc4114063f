/** What part of the plan the screen shows. Pure arithmetic: plan units are seat widths. */

export type Camera = {
  /** Plan point in the screen's middle. */
  x: number;
  y: number;
  /** CSS pixels per seat width. */
  scale: number;
};

export type Size = { width: number; height: number };

export const SCALE_MAX = 48;
/** A finger needs this much to hit one seat and not its neighbour (WCAG 2.5.8 asks for 24). */
export const TAP_SCALE = 24;

export function fitCamera(plan: Size, screen: Size): Camera {
  const scale = Math.min(SCALE_MAX, screen.width / plan.width, screen.height / plan.height);
  return { x: plan.width / 2, y: plan.height / 2, scale };
}

/** Never farther out than the whole house, never so far aside that nothing of it is seen. */
export function clampCamera(camera: Camera, plan: Size, screen: Size): Camera {
  const least = Math.min(fitCamera(plan, screen).scale, TAP_SCALE);
  const scale = Math.min(SCALE_MAX, Math.max(least, camera.scale));
  const within = (value: number, length: number, shown: number) => {
    const half = shown / scale / 2;
    return length <= half * 2 ? length / 2 : Math.min(length - half, Math.max(half, value));
  };
  return {
    x: within(camera.x, plan.width, screen.width),
    y: within(camera.y, plan.height, screen.height),
    scale,
  };
}

export const toPlan = (camera: Camera, screen: Size, px: number, py: number) => ({
  x: camera.x + (px - screen.width / 2) / camera.scale,
  y: camera.y + (py - screen.height / 2) / camera.scale,
});

export const toScreen = (camera: Camera, screen: Size, x: number, y: number) => ({
  x: (x - camera.x) * camera.scale + screen.width / 2,
  y: (y - camera.y) * camera.scale + screen.height / 2,
});

/** The plan point under the fingers stays under them. */
export function zoomAt(
  camera: Camera,
  screen: Size,
  at: { px: number; py: number },
  factor: number,
): Camera {
  const fixed = toPlan(camera, screen, at.px, at.py);
  const scale = camera.scale * factor;
  return {
    x: fixed.x - (at.px - screen.width / 2) / scale,
    y: fixed.y - (at.py - screen.height / 2) / scale,
    scale,
  };
}

/** Between two cameras; `t` from 0 to 1. The scale goes by ratio, as the eye expects of a zoom. */
export function between(from: Camera, to: Camera, t: number): Camera {
  const scale = from.scale * (to.scale / from.scale) ** t;
  // Positions move with the scale, so that what is aimed at comes nearer in a straight line.
  const share =
    Math.abs(to.scale - from.scale) < 1e-6
      ? t
      : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
  return {
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
    scale,
  };
}
