import { type Camera, type Size, toScreen } from "./camera.ts";

/**
 * A picture of the plan that is larger than the screen, so that a finger can push it about. While it
 * covers the screen at the camera's scale, a frame costs one copy of it. Pure decisions; view.ts paints.
 */

/** Of the screen, on each side. */
const MARGIN = 0.3;
/** While fingers pinch, the old picture is stretched within these; sharp again when they rest. */
const STRETCH = { min: 0.72, max: 1.5 } as const;

/** How a coat was painted: its own camera, and its size in CSS pixels. */
export type Coat = { camera: Camera; size: Size };

export const coatSize = ({ width, height }: Size): Size => ({
  width: Math.round(width * (1 + 2 * MARGIN)),
  height: Math.round(height * (1 + 2 * MARGIN)),
});

/** Where the coat lies on the screen now. */
export function placeCoat(coat: Coat, camera: Camera, screen: Size) {
  const stretch = camera.scale / coat.camera.scale;
  const middle = toScreen(camera, screen, coat.camera.x, coat.camera.y);
  const width = coat.size.width * stretch;
  const height = coat.size.height * stretch;
  return { x: middle.x - width / 2, y: middle.y - height / 2, width, height, stretch };
}

/** @param reach what of the screen can show anything of the plan: beyond it nothing is missed. */
export function mustRepaint(
  coat: Coat,
  camera: Camera,
  screen: Size,
  facts: { isMoving: boolean; reach: { left: number; top: number; right: number; bottom: number } },
): boolean {
  const { x, y, width, height, stretch } = placeCoat(coat, camera, screen);
  const isSharp = Math.abs(stretch - 1) < 1e-6;
  if (!isSharp && (!facts.isMoving || stretch < STRETCH.min || stretch > STRETCH.max)) return true;
  const { reach } = facts;
  return (
    x > Math.max(0, reach.left) + 0.5 ||
    y > Math.max(0, reach.top) + 0.5 ||
    x + width < Math.min(screen.width, reach.right) - 0.5 ||
    y + height < Math.min(screen.height, reach.bottom) - 0.5
  );
}
