import type { Row, Section } from "../house/house.ts";
import { stateAt } from "../house/house.ts";
import { toPlanOf } from "../house/layout.ts";
import { type Camera, type Size, toScreen } from "./camera.ts";
import { type Ground, isAside, shareFree, zoneOf } from "./scene.ts";
import { makePicture, type Picture, type SeatLook } from "./sprites.ts";

/**
 * One block of seats, as near as the camera is: a coloured shape from afar, a picture of all its seats
 * from half way, and each seat stamped when it is near. A frame costs what the screen can show and not
 * what the house holds.
 */

/** CSS pixels a seat: below the first a block is a shape, below the second a picture. */
export const SHAPE_SCALE = 4.5;
const STAMP_SCALE = 10;
export const NUMBER_SCALE = 19;
const ROW_LABEL_SCALE = 7;
/** Device pixels a seat in a block's picture. */
const PICTURE_SCALE = 9;
const ASIDE_ALPHA = 0.16;
/** Around the seats, in seat widths. */
const RIM = 0.5;

export type View = { camera: Camera; screen: Size };

export type BlockPictures = Map<string, { states: Uint8Array; picture: Picture }>;

/** The canvas then takes seat widths across the block and away from the stage. */
function enterBlock(to: CanvasRenderingContext2D, ground: Ground, view: View, section: Section) {
  const { camera, screen } = view;
  const { x, y, angle } = section.spot;
  const at = toScreen(camera, screen, x, y);
  const k = camera.scale * ground.ratio;
  const sin = Math.sin(angle) * k;
  const cos = Math.cos(angle) * k;
  to.setTransform(cos, -sin, sin, cos, at.x * ground.ratio, at.y * ground.ratio);
}

const leave = (to: CanvasRenderingContext2D, { ratio }: Ground) =>
  to.setTransform(ratio, 0, 0, ratio, 0, 0);

export function isInView({ camera, screen }: View, section: Section): boolean {
  const { spot, width, height } = section;
  const [x, y] = toPlanOf(spot, 0, height / 2);
  const reach = (Math.hypot(width, height) / 2 + 2) * camera.scale;
  const at = toScreen(camera, screen, x, y);
  return (
    at.x > -reach && at.x < screen.width + reach && at.y > -reach && at.y < screen.height + reach
  );
}

function outline(to: CanvasRenderingContext2D, { width, height }: Section, rim: number): void {
  to.beginPath();
  to.roundRect(-width / 2 - rim, -rim, width + rim * 2, height + rim * 2, 1.4);
}

/** From afar: the price's colour and texture, the fuller of free seats the stronger. */
function paintShape(to: CanvasRenderingContext2D, ground: Ground, view: View, section: Section) {
  const { scene, sprites, ratio } = ground;
  const { palette } = sprites;
  const zone = zoneOf(scene, section.zone);
  const share = shareFree(section);
  enterBlock(to, ground, view, section);
  outline(to, section, RIM);
  leave(to, ground);
  to.fillStyle = palette.line;
  to.fill();
  if (share === 0) return;
  to.globalAlpha = isAside(scene, section.zone) ? ASIDE_ALPHA : 0.45 + 0.55 * share;
  to.fillStyle = palette.zones[zone % palette.zones.length] ?? palette.muted;
  to.fill();
  const texture = sprites.texture(to, zone, ratio);
  if (texture) {
    // The texture is in device pixels, whatever the block's turn and the camera's zoom.
    to.setTransform(1, 0, 0, 1, 0, 0);
    to.fillStyle = texture;
    to.fill();
    leave(to, ground);
  }
  to.globalAlpha = 1;
}

function lookOf(section: Section, row: Row, i: number): SeatLook | undefined {
  switch (stateAt(section, row.first + i)) {
    case "available":
      if (row.accessible.size > 0 && row.accessible.has(row.numberAt(i))) return "wheelchair";
      if (row.companions.size > 0 && row.companions.has(row.numberAt(i))) return "companion";
      return "free";
    case "held":
      return "held";
    case "sold":
      return "sold";
    case "blocked":
      return undefined;
  }
}

function pictureOf(ground: Ground, section: Section, pictures: BlockPictures): Picture {
  const found = pictures.get(section.id);
  if (found?.states === section.states) return found.picture;
  const { scene, sprites } = ground;
  const picture = makePicture(
    section.width * PICTURE_SCALE,
    section.height * PICTURE_SCALE,
    (to) => {
      for (const row of section.rows) {
        const zone = zoneOf(scene, row.zone);
        to.globalAlpha = isAside(scene, row.zone) ? ASIDE_ALPHA : 1;
        for (let i = 0; i < row.count; i += 1) {
          const look = lookOf(section, row, i);
          if (!look) continue;
          const x = (row.u + i + section.width / 2 - 0.5) * PICTURE_SCALE;
          to.drawImage(
            sprites.seat(look, zone, PICTURE_SCALE, false),
            x,
            (row.v - 0.5) * PICTURE_SCALE,
          );
        }
      }
    },
  );
  pictures.set(section.id, { states: section.states, picture });
  return picture;
}

/** The part of a row that the screen shows: seats lie on a line, so both ends are found by division. */
function shownOf(view: View, section: Section, row: Row): [from: number, to: number] {
  const { camera, screen } = view;
  const [x, y] = toPlanOf(section.spot, row.u, row.v);
  const start = toScreen(camera, screen, x, y);
  const dx = Math.cos(section.spot.angle) * camera.scale;
  const dy = -Math.sin(section.spot.angle) * camera.scale;
  let from = 0;
  let to = row.count - 1;
  for (const [at, step, length] of [
    [start.x, dx, screen.width],
    [start.y, dy, screen.height],
  ] as const) {
    const low = -camera.scale - at;
    const high = length + camera.scale - at;
    if (Math.abs(step) < 1e-6) {
      if (low > 0 || high < 0) return [0, -1];
      continue;
    }
    const [a, b] = step > 0 ? [low / step, high / step] : [high / step, low / step];
    from = Math.max(from, Math.ceil(a));
    to = Math.min(to, Math.floor(b));
  }
  return [from, to];
}

function stampRow(
  to: CanvasRenderingContext2D,
  ground: Ground,
  view: View,
  place: { section: Section; row: Row },
): void {
  const { scene, sprites, ratio } = ground;
  const { section, row } = place;
  const { scale } = view.camera;
  const [from, last] = shownOf(view, section, row);
  if (last < from) return;
  const zone = zoneOf(scene, row.zone);
  const size = Math.round(scale * ratio);
  const isNumbered = scale >= NUMBER_SCALE;
  to.globalAlpha = isAside(scene, row.zone) ? ASIDE_ALPHA : 1;
  enterBlock(to, ground, view, section);
  for (let i = from; i <= last; i += 1) {
    const look = lookOf(section, row, i);
    if (look) {
      const picture = sprites.seat(look, zone, size, isNumbered);
      to.drawImage(picture, row.u + i - 0.5, row.v - 0.5, 1, 1);
    }
  }
  leave(to, ground);
  if (isNumbered) numberRow(to, ground, view, { ...place, from, last });
  to.globalAlpha = 1;
}

/** Upright, whichever way the block is turned. */
function numberRow(
  to: CanvasRenderingContext2D,
  { sprites, ratio }: Ground,
  { camera, screen }: View,
  part: { section: Section; row: Row; from: number; last: number },
): void {
  const { section, row, from, last } = part;
  const { scale } = camera;
  const size = Math.round(scale * ratio);
  for (let i = from; i <= last; i += 1) {
    const look = lookOf(section, row, i);
    if (look === undefined || look === "held" || look === "sold") continue;
    const [x, y] = toPlanOf(section.spot, row.u + i, row.v);
    const at = toScreen(camera, screen, x, y);
    const text = look === "wheelchair" ? "♿" : String(row.numberAt(i));
    const picture = sprites.text(text, size, sprites.palette.onZone);
    const width = picture.width / ratio;
    const height = picture.height / ratio;
    to.drawImage(picture, at.x - width / 2, at.y - height / 2, width, height);
  }
}

function labelRow(
  to: CanvasRenderingContext2D,
  { sprites }: Ground,
  { camera, screen }: View,
  place: { section: Section; row: Row },
): void {
  const { section, row } = place;
  const [x, y] = toPlanOf(section.spot, row.u - 1.3, row.v);
  const at = toScreen(camera, screen, x, y);
  if (at.x < 0 || at.x > screen.width || at.y < 0 || at.y > screen.height) return;
  to.fillStyle = sprites.palette.muted;
  to.font = `550 ${Math.round(Math.min(13, Math.max(8, camera.scale * 0.62)))}px ${sprites.palette.font}`;
  to.fillText(row.id, at.x, at.y);
}

export function paintBlock(
  to: CanvasRenderingContext2D,
  ground: Ground,
  view: View,
  block: { section: Section; pictures: BlockPictures },
): void {
  const { section, pictures } = block;
  const { scale } = view.camera;
  if (scale < SHAPE_SCALE) {
    paintShape(to, ground, view, section);
    return;
  }
  enterBlock(to, ground, view, section);
  outline(to, section, RIM);
  to.fillStyle = ground.sprites.palette.block;
  to.fill();
  if (scale < STAMP_SCALE) {
    const picture = pictureOf(ground, section, pictures);
    to.drawImage(picture, -section.width / 2, 0, section.width, section.height);
    leave(to, ground);
  } else {
    leave(to, ground);
    for (const row of section.rows) stampRow(to, ground, view, { section, row });
  }
  if (scale < ROW_LABEL_SCALE) return;
  to.textAlign = "center";
  to.textBaseline = "middle";
  for (const row of section.rows) labelRow(to, ground, view, { section, row });
}
