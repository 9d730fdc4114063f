import type { House, Seat, Section } from "../house/house.ts";
import { toPlanOf } from "../house/layout.ts";
import {
  between,
  type Camera,
  clampCamera,
  fitCamera,
  type Size,
  TAP_SCALE,
  toPlan,
  toScreen,
  zoomAt,
} from "./camera.ts";
import { type Coat, coatSize, mustRepaint, placeCoat } from "./coat.ts";
import { paintHouse, paintMarks } from "./paint.ts";
import type { BlockPictures } from "./paint-blocks.ts";
import { readPalette } from "./palette.ts";
import type { Scene } from "./scene.ts";
import { createSprites, type Sprites } from "./sprites.ts";

/** The camera over one canvas: moves it, and paints no more often than the screen is drawn. */

/** More pixels than this nobody sees on a plan, and memory grows with their square. */
const RATIO_MAX = 2;
const FLIGHT_MS = 320;
/** News of the house are painted at most so often while it sells by the hundred. */
const NEWS_MS = 250;
const REST_MS = 120;
/** What is left of a thrown plan's speed after a millisecond, and when it stands still. */
const FRICTION = 0.9955;
const SPEED_MIN = 0.02;
/** Nearer than this a finger means one seat. */
export const PICK_SCALE = TAP_SCALE * 0.7;

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function createView(element: HTMLCanvasElement, first: Scene) {
  const to = element.getContext("2d", { alpha: false });
  const under = document.createElement("canvas");
  const pictures: BlockPictures = new Map();
  let scene = first;
  let screen: Size = { width: 0, height: 0 };
  let ratio = 1;
  let camera: Camera | undefined;
  let coat: Coat | undefined;
  let sprites: Sprites | undefined;
  let painted: { scene: Scene; at: number } | undefined;
  let frame = 0;
  let motion: ((ms: number) => boolean) | undefined;
  let movedAt = 0;
  let lastFrameAt = 0;

  const isMoving = (now: number) => motion !== undefined || now - movedAt < REST_MS;

  /** The house's own edges on the screen: outside of them there is nothing to paint. */
  const reachOf = (at: Camera) => {
    const low = toScreen(at, screen, 0, 0);
    const high = toScreen(at, screen, scene.house.width, scene.house.height);
    return { left: low.x, top: low.y, right: high.x, bottom: high.y };
  };

  const isNews = () =>
    painted !== undefined &&
    (painted.scene.house !== scene.house ||
      painted.scene.onlyZone !== scene.onlyZone ||
      painted.scene.watchers !== scene.watchers ||
      painted.scene.stageLabel !== scene.stageLabel);

  function paintCoat(at: Camera, now: number): void {
    const size = coatSize(screen);
    const own = under.getContext("2d", { alpha: false });
    if (!own) return;
    if (under.width !== Math.round(size.width * ratio)) {
      under.width = Math.round(size.width * ratio);
      under.height = Math.round(size.height * ratio);
    }
    if (painted?.scene.onlyZone !== scene.onlyZone) pictures.clear();
    sprites ??= createSprites(readPalette(element));
    const ground = { scene, sprites, ratio };
    paintHouse(own, ground, { camera: at, screen: size }, pictures);
    coat = { camera: at, size };
    painted = { scene, at: now };
  }

  function paint(now: number): void {
    frame = 0;
    const ms = Math.min(64, lastFrameAt === 0 ? 16 : now - lastFrameAt);
    lastFrameAt = now;
    if (motion && !motion(ms)) motion = undefined;
    if (!to || !camera || screen.width === 0) return;
    const moving = isMoving(now);
    const isDue = isNews() && (!moving || now - (painted?.at ?? 0) > NEWS_MS);
    const facts = { isMoving: moving, reach: reachOf(camera) };
    if (!coat || isDue || mustRepaint(coat, camera, screen, facts)) paintCoat(camera, now);
    sprites ??= createSprites(readPalette(element));
    if (coat) {
      const place = placeCoat(coat, camera, screen);
      to.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (place.x > 0 || place.y > 0 || place.stretch < 1) {
        to.fillStyle = sprites.palette.surface;
        to.fillRect(0, 0, screen.width, screen.height);
      }
      // Whole device pixels: a copy without resampling is the cheapest and the sharpest.
      const snap = (value: number) => Math.round(value * ratio) / ratio;
      to.drawImage(under, snap(place.x), snap(place.y), place.width, place.height);
    }
    paintMarks(to, { scene, sprites, ratio }, { camera, screen });
    // Once more when all is at rest: sharp, and with the last news.
    if (motion || moving || isNews()) ask();
    else lastFrameAt = 0;
  }

  function ask(): void {
    if (frame === 0) frame = requestAnimationFrame(paint);
  }

  const put = (next: Camera) => {
    camera = clampCamera(next, scene.house, screen);
    movedAt = performance.now();
    ask();
  };

  /** There at once where motion is unwelcome, else in a short flight. */
  function flyTo(target: Camera): void {
    const from = camera;
    const end = clampCamera(target, scene.house, screen);
    if (!from || isCalm()) {
      put(end);
      return;
    }
    let spent = 0;
    motion = (ms) => {
      spent += ms;
      const t = Math.min(1, spent / FLIGHT_MS);
      put(between(from, end, 1 - (1 - t) ** 3));
      return t < 1;
    };
    ask();
  }

  return {
    camera: () => camera,
    update(next: Scene) {
      scene = next;
      ask();
    },
    resize(size: Size, deviceRatio: number) {
      ratio = Math.min(RATIO_MAX, deviceRatio);
      element.width = Math.round(size.width * ratio);
      element.height = Math.round(size.height * ratio);
      const isFirst = screen.width === 0;
      screen = size;
      coat = undefined;
      if (size.width > 0) put(isFirst || !camera ? fitCamera(scene.house, size) : camera);
    },
    recolour() {
      sprites = undefined;
      coat = undefined;
      pictures.clear();
      ask();
    },
    stopMotion() {
      motion = undefined;
    },
    pan(dx: number, dy: number) {
      if (camera)
        put({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale });
    },
    zoom(at: { px: number; py: number }, factor: number) {
      if (camera) put(zoomAt(camera, screen, at, factor));
    },
    /** Goes on with the finger's speed, and slows down. */
    throw(vx: number, vy: number) {
      if (isCalm() || Math.hypot(vx, vy) < SPEED_MIN * 4) return;
      let speed = { vx, vy };
      motion = (ms) => {
        if (camera)
          put({
            ...camera,
            x: camera.x - (speed.vx * ms) / camera.scale,
            y: camera.y - (speed.vy * ms) / camera.scale,
          });
        const rest = FRICTION ** ms;
        speed = { vx: speed.vx * rest, vy: speed.vy * rest };
        return Math.hypot(speed.vx, speed.vy) > SPEED_MIN;
      };
      ask();
    },
    zoomMiddle(factor: number) {
      if (!camera) return;
      const middle = { px: screen.width / 2, py: screen.height / 2 };
      flyTo(zoomAt(camera, screen, middle, factor));
    },
    showAll: () => flyTo(fitCamera(scene.house, screen)),
    /** Near enough for fingers, with the point in the middle. */
    approach(x: number, y: number) {
      if (camera) flyTo({ x, y, scale: Math.max(camera.scale, TAP_SCALE * 1.12) });
    },
    showSection(section: Section) {
      const [x, y] = toPlanOf(section.spot, 0, section.height / 2);
      const scale = (screen.width / (section.width + 3)) * 0.98;
      flyTo({ x, y, scale: Math.max(scale, 12) });
    },
    /** Only when it is out of sight or too small to be seen. */
    reveal(seat: Seat) {
      if (!camera) return;
      const at = toScreen(camera, screen, seat.x, seat.y);
      const isSeen =
        at.x > 24 && at.y > 24 && at.x < screen.width - 24 && at.y < screen.height - 24;
      if (!isSeen || camera.scale < PICK_SCALE)
        flyTo({ x: seat.x, y: seat.y, scale: Math.max(camera.scale, TAP_SCALE) });
    },
    planAt: (px: number, py: number) => camera && toPlan(camera, screen, px, py),
    middle: () => camera && { x: camera.x, y: camera.y },
    house: (): House => scene.house,
    stop() {
      cancelAnimationFrame(frame);
      motion = undefined;
      // Some phones keep a canvas's memory until long after the page has forgotten it.
      under.width = 0;
      under.height = 0;
    },
  };
}

export type View = ReturnType<typeof createView>;
