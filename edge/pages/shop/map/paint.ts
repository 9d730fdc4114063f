import type { Seat, Section } from "../house/house.ts";
import { toPlanOf } from "../house/layout.ts";
import { type Camera, toScreen } from "./camera.ts";
import {
  type BlockPictures,
  isInView,
  paintBlock,
  SHAPE_SCALE,
  type View,
} from "./paint-blocks.ts";
import type { Palette } from "./palette.ts";
import type { Ground } from "./scene.ts";

/**
 * The plan in two coats: what stays while the camera moves is painted once, with a margin, and pushed
 * about; what is the fan's own (the choice, what was just taken, the cursor) is painted on top of it.
 */

/** A name needs this many pixels of its block. */
const NAME_PX_MIN = 34;
const WATCHERS_PX_MIN = 64;
const EYE = "●";

function paintStage(to: CanvasRenderingContext2D, ground: Ground, { camera, screen }: View): void {
  const { stage } = ground.scene.house;
  const { palette } = ground.sprites;
  const at = toScreen(camera, screen, stage.x, stage.y);
  const width = stage.width * camera.scale;
  const height = stage.height * camera.scale;
  to.fillStyle = palette.block;
  to.strokeStyle = palette.line;
  to.lineWidth = 1.5;
  to.beginPath();
  const round = Math.min(height / 2, 18);
  to.roundRect(at.x - width / 2, at.y - height / 2, width, height, [
    round / 2,
    round / 2,
    round,
    round,
  ]);
  to.fill();
  to.stroke();
  const size = Math.min(22, Math.max(9, height * 0.28));
  to.fillStyle = palette.muted;
  to.font = `650 ${Math.round(size)}px ${palette.font}`;
  to.textAlign = "center";
  to.textBaseline = "middle";
  if (width > 40) to.fillText(ground.scene.stageLabel, at.x, at.y, width - 8);
}

/** The name stands on the block from afar, and before its first row when seats can be told apart. */
function paintName(
  to: CanvasRenderingContext2D,
  ground: Ground,
  { camera, screen }: View,
  section: Section,
): void {
  const { scene, sprites } = ground;
  const { palette } = sprites;
  const { scale } = camera;
  const isShape = scale < SHAPE_SCALE;
  const room = Math.min(section.width, isShape ? section.height * 1.6 : section.width) * scale;
  if (room < NAME_PX_MIN) return;
  const [x, y] = toPlanOf(section.spot, 0, isShape ? section.height / 2 : -1.35);
  const at = toScreen(camera, screen, x, y);
  const size = Math.round(Math.min(15, Math.max(10, scale * (isShape ? 4 : 1.3))));
  const watchers = scene.watchers[section.id] ?? 0;
  const isTold = watchers > 0 && section.width * scale >= WATCHERS_PX_MIN;
  const text = isTold ? `${section.name}  ${EYE} ${watchers}` : section.name;
  to.font = `650 ${size}px ${palette.font}`;
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.lineJoin = "round";
  to.lineWidth = isShape ? 4 : 3;
  const isSoldOut = section.available === 0;
  to.strokeStyle = isShape && !isSoldOut ? zoneColour(ground, section) : palette.surface;
  to.fillStyle = isShape && !isSoldOut ? palette.onZone : palette.muted;
  const most = isShape ? room - 6 : section.width * scale * 1.1;
  to.strokeText(text, at.x, at.y, most);
  to.fillText(text, at.x, at.y, most);
}

function zoneColour({ scene, sprites }: Ground, section: Section): string {
  const { zones, muted } = sprites.palette;
  return zones[(scene.zoneIndex.get(section.zone) ?? 0) % zones.length] ?? muted;
}

/** All that stays while the camera only moves. */
export function paintHouse(
  to: CanvasRenderingContext2D,
  ground: Ground,
  view: View,
  pictures: BlockPictures,
): void {
  const { ratio, scene, sprites } = ground;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.globalAlpha = 1;
  to.fillStyle = sprites.palette.surface;
  to.fillRect(0, 0, view.screen.width, view.screen.height);
  to.imageSmoothingQuality = "medium";
  paintStage(to, ground, view);
  const shown = scene.house.sections.filter((section) => isInView(view, section));
  for (const section of shown) paintBlock(to, ground, view, { section, pictures });
  for (const section of shown) paintName(to, ground, view, section);
}

type Mark = { to: CanvasRenderingContext2D; palette: Palette; view: View; camera: Camera };

function around(
  { to, view, camera }: Mark,
  seat: Seat,
  grow: number,
): { x: number; y: number; half: number } {
  const at = toScreen(camera, view.screen, seat.x, seat.y);
  const half = Math.max(camera.scale * 0.44, 4.5) + grow;
  to.beginPath();
  to.roundRect(at.x - half, at.y - half, half * 2, half * 2, half * 0.5);
  return { ...at, half };
}

function markChosen(mark: Mark, seat: Seat): void {
  const { to, palette } = mark;
  const { x, y, half } = around(mark, seat, 1);
  to.fillStyle = palette.lamp;
  to.fill();
  to.strokeStyle = palette.ink;
  to.lineWidth = 2;
  to.stroke();
  to.strokeStyle = palette.onLamp;
  to.lineWidth = Math.max(1.5, half * 0.2);
  to.lineCap = "round";
  to.lineJoin = "round";
  to.beginPath();
  to.moveTo(x - half * 0.42, y + half * 0.02);
  to.lineTo(x - half * 0.1, y + half * 0.36);
  to.lineTo(x + half * 0.46, y - half * 0.34);
  to.stroke();
}

function markLost(mark: Mark, seat: Seat): void {
  const { to, palette } = mark;
  const { x, y, half } = around(mark, seat, 2);
  to.fillStyle = palette.surface;
  to.fill();
  to.strokeStyle = palette.ink;
  to.lineWidth = Math.max(2, half * 0.18);
  to.stroke();
  to.lineCap = "round";
  const arm = half * 0.5;
  to.beginPath();
  to.moveTo(x - arm, y - arm);
  to.lineTo(x + arm, y + arm);
  to.moveTo(x + arm, y - arm);
  to.lineTo(x - arm, y + arm);
  to.stroke();
}

function markOffered(mark: Mark, seat: Seat): void {
  const { to, palette } = mark;
  around(mark, seat, 3);
  to.strokeStyle = palette.ink;
  to.lineWidth = 4.5;
  to.stroke();
  to.strokeStyle = palette.lamp;
  to.lineWidth = 2.5;
  to.stroke();
}

/** The fan's own marks, over whatever lies beneath. */
export function paintMarks(to: CanvasRenderingContext2D, ground: Ground, view: View): void {
  const { scene, sprites, ratio } = ground;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  const mark: Mark = { to, palette: sprites.palette, view, camera: view.camera };
  for (const seat of scene.offered) markOffered(mark, seat);
  for (const seat of scene.chosen.values()) markChosen(mark, seat);
  for (const seat of scene.lost) markLost(mark, seat);
  if (!scene.cursor) return;
  around(mark, scene.cursor, 4);
  to.strokeStyle = sprites.palette.surface;
  to.lineWidth = 6;
  to.stroke();
  to.strokeStyle = sprites.palette.ink;
  to.lineWidth = 3;
  to.stroke();
}
