import { type House, type Seat, type Section, STAGE } from "../house/house.ts";
import { type Camera, type Size, toScreen } from "./camera.ts";

/**
 * Draws the plan. Far away each section is one picture made beforehand, near by each seat in view is
 * drawn: a frame costs what the screen can show and not what the house holds.
 */

export type Palette = {
  zones: string[];
  surface: string;
  ink: string;
  muted: string;
  line: string;
  lamp: string;
  onZone: string;
  font: string;
};

export type Scene = {
  house: House;
  camera: Camera;
  screen: Size;
  palette: Palette;
  zoneIndex: ReadonlyMap<string, number>;
  chosen: ReadonlySet<string>;
  taken: ReadonlySet<string>;
  cursor?: Seat | undefined;
  stageLabel: string;
  pictures: Map<string, HTMLCanvasElement>;
};

/** Below this many pixels a seat is only a point of colour. */
const NEAR_SCALE = 9;
const NUMBERED_SCALE = 21;
const LABELLED_SCALE = 7;
const PICTURE_SCALE = 4;
const GAP = 0.14;

const colourOf = (scene: Scene, zone: string): string => {
  const { zones, muted } = scene.palette;
  return zones[(scene.zoneIndex.get(zone) ?? 0) % zones.length] ?? muted;
};

/** State is told by shape as well as by colour: filled, ring, point, nothing. */
function drawSeat(
  to: CanvasRenderingContext2D,
  scene: Scene,
  seat: Seat,
  at: { x: number; y: number; size: number },
): void {
  const { x, y, size } = at;
  const { palette } = scene;
  const half = (size * (1 - GAP)) / 2;
  const isChosen = scene.chosen.has(seat.id);
  if (isChosen) {
    to.fillStyle = palette.lamp;
    to.strokeStyle = palette.ink;
    to.lineWidth = Math.max(1.5, size * 0.09);
    to.beginPath();
    to.roundRect(x - half, y - half, half * 2, half * 2, size * 0.24);
    to.fill();
    to.stroke();
    return;
  }
  switch (seat.state) {
    case "available":
      to.fillStyle = colourOf(scene, seat.zone);
      to.beginPath();
      to.roundRect(x - half, y - half, half * 2, half * 2, seat.accessible ? half : size * 0.24);
      to.fill();
      return;
    case "held":
      to.strokeStyle = palette.muted;
      to.lineWidth = Math.max(1, size * 0.06);
      to.beginPath();
      to.roundRect(x - half * 0.8, y - half * 0.8, half * 1.6, half * 1.6, size * 0.2);
      to.stroke();
      return;
    case "sold":
      to.fillStyle = palette.line;
      to.beginPath();
      to.arc(x, y, size * 0.17, 0, Math.PI * 2);
      to.fill();
      return;
    case "blocked":
      return;
  }
}

function makePicture(scene: Scene, section: Section): HTMLCanvasElement {
  const picture = document.createElement("canvas");
  picture.width = Math.max(1, Math.ceil(section.width * PICTURE_SCALE));
  picture.height = Math.max(1, Math.ceil(section.height * PICTURE_SCALE));
  const to = picture.getContext("2d");
  if (!to) return picture;
  for (const seat of section.seats) {
    if (seat.state === "blocked") continue;
    const isFree = seat.state === "available";
    to.fillStyle = isFree ? colourOf(scene, seat.zone) : scene.palette.line;
    const size = isFree ? PICTURE_SCALE - 1 : PICTURE_SCALE / 2 - 0.5;
    const x = (seat.x - section.x) * PICTURE_SCALE - size / 2;
    const y = (seat.y - section.y) * PICTURE_SCALE - size / 2;
    to.fillRect(x, y, size, size);
  }
  return picture;
}

function drawSection(to: CanvasRenderingContext2D, scene: Scene, section: Section): void {
  const { camera, screen, palette } = scene;
  const { scale } = camera;
  const corner = toScreen(camera, screen, section.x, section.y);
  const width = section.width * scale;
  const height = section.height * scale;
  const isOut =
    corner.x > screen.width ||
    corner.y > screen.height ||
    corner.x + width < 0 ||
    corner.y + height < 0;
  if (isOut) return;
  to.fillStyle = section.available > 0 ? palette.ink : palette.muted;
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.font = `650 ${Math.round(Math.min(18, Math.max(11, scale * 1.2)))}px ${palette.font}`;
  to.fillText(section.name, corner.x + width / 2, corner.y + scale * 1.1);
  if (scale < NEAR_SCALE) {
    let picture = scene.pictures.get(section.id);
    if (!picture) {
      picture = makePicture(scene, section);
      scene.pictures.set(section.id, picture);
    }
    to.imageSmoothingEnabled = scale < PICTURE_SCALE;
    to.drawImage(picture, corner.x, corner.y, width, height);
    for (const seat of section.seats) {
      if (!scene.chosen.has(seat.id)) continue;
      drawSeat(to, scene, seat, {
        ...toScreen(camera, screen, seat.x, seat.y),
        size: Math.max(scale, 9),
      });
    }
    if (scale < LABELLED_SCALE) return;
  }
  drawRows(to, scene, section);
}

function drawRows(to: CanvasRenderingContext2D, scene: Scene, section: Section): void {
  const { camera, screen, palette } = scene;
  const { scale } = camera;
  const isNear = scale >= NEAR_SCALE;
  for (const row of section.rows) {
    const line = toScreen(camera, screen, section.x, row.y);
    if (line.y < -scale || line.y > screen.height + scale) continue;
    const first = section.seats[row.first];
    if (!first) continue;
    to.fillStyle = palette.muted;
    to.font = `500 ${Math.round(Math.min(14, scale * 0.8))}px ${palette.font}`;
    const left = toScreen(camera, screen, first.x - 1.1, row.y);
    to.fillText(row.id, left.x, left.y);
    if (!isNear) continue;
    for (let i = row.first; i < row.first + row.count; i += 1) {
      const seat = section.seats[i];
      if (!seat) continue;
      const at = toScreen(camera, screen, seat.x, seat.y);
      if (at.x < -scale || at.x > screen.width + scale) continue;
      drawSeat(to, scene, seat, { ...at, size: scale });
      drawMarks(to, scene, seat, at);
    }
  }
}

/** Numbers, wheelchairs, and "just taken", where there is room for them. */
function drawMarks(
  to: CanvasRenderingContext2D,
  scene: Scene,
  seat: Seat,
  at: { x: number; y: number },
): void {
  const { camera, palette } = scene;
  const { scale } = camera;
  if (scene.taken.has(seat.id)) {
    const arm = scale * 0.32;
    to.strokeStyle = palette.ink;
    to.lineWidth = Math.max(2, scale * 0.1);
    to.beginPath();
    to.moveTo(at.x - arm, at.y - arm);
    to.lineTo(at.x + arm, at.y + arm);
    to.moveTo(at.x + arm, at.y - arm);
    to.lineTo(at.x - arm, at.y + arm);
    to.stroke();
    return;
  }
  const isChosen = scene.chosen.has(seat.id);
  if (scale < NUMBERED_SCALE || (seat.state !== "available" && !isChosen)) return;
  to.fillStyle = isChosen ? "#1d1400" : palette.onZone;
  to.font = `600 ${Math.round(scale * 0.42)}px ${palette.font}`;
  to.fillText(seat.accessible ? "♿" : String(seat.number), at.x, at.y + scale * 0.03);
}

function drawStage(to: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, screen, house, palette } = scene;
  const left = toScreen(camera, screen, house.width * 0.22, 0.6);
  const right = toScreen(camera, screen, house.width * 0.78, STAGE - 1);
  to.fillStyle = palette.line;
  to.beginPath();
  to.roundRect(
    left.x,
    left.y,
    right.x - left.x,
    right.y - left.y,
    Math.min(14, camera.scale * 1.2),
  );
  to.fill();
  to.fillStyle = palette.ink;
  to.font = `650 ${Math.round(Math.min(17, Math.max(10, camera.scale * 1.3)))}px ${palette.font}`;
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.fillText(scene.stageLabel, (left.x + right.x) / 2, (left.y + right.y) / 2);
}

export function paintHouse(to: CanvasRenderingContext2D, scene: Scene, ratio: number): void {
  const { screen, camera, palette, cursor } = scene;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.fillStyle = palette.surface;
  to.fillRect(0, 0, screen.width, screen.height);
  drawStage(to, scene);
  for (const section of scene.house.sections) drawSection(to, scene, section);
  if (!cursor) return;
  const at = toScreen(camera, screen, cursor.x, cursor.y);
  const half = Math.max(camera.scale, 12) / 2 + 2;
  to.strokeStyle = palette.ink;
  to.lineWidth = 3;
  to.strokeRect(at.x - half, at.y - half, half * 2, half * 2);
}
