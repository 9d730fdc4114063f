import { markOf } from "./marks.ts";
import type { Palette } from "./palette.ts";

/**
 * Small pictures made once and stamped many times: a seat in each look, a number, a texture. Stamping
 * costs a tenth of drawing the same shape anew, which is what keeps a phone's frames short.
 */

export type Picture = HTMLCanvasElement;
type Draw = (to: CanvasRenderingContext2D, size: number) => void;

/** What a seat looks like; its state is told by shape as well as by colour. */
export type SeatLook = "free" | "wheelchair" | "companion" | "held" | "sold";

const PICTURES_MAX = 600;
const GAP = 0.12;
const TEXTURE_ALPHA = 0.34;
const MARK_UNITS = 20;

export function makePicture(width: number, height: number, draw: Draw): Picture {
  const picture = document.createElement("canvas");
  picture.width = Math.max(1, Math.ceil(width));
  picture.height = Math.max(1, Math.ceil(height));
  const to = picture.getContext("2d");
  if (to) draw(to, width);
  return picture;
}

function drawTexture(to: CanvasRenderingContext2D, size: number, zone: number, ink: string): void {
  const mark = markOf(zone);
  if (mark === "") return;
  to.save();
  to.scale(size / MARK_UNITS, size / MARK_UNITS);
  to.globalAlpha = TEXTURE_ALPHA;
  to.strokeStyle = ink;
  to.lineWidth = 3.4;
  to.stroke(new Path2D(mark));
  to.restore();
}

function drawSeat(
  to: CanvasRenderingContext2D,
  size: number,
  seat: { look: SeatLook; zone: number; palette: Palette; isNumbered: boolean },
): void {
  const { look, zone, palette, isNumbered } = seat;
  const inset = (size * GAP) / 2;
  const side = size - inset * 2;
  if (look === "sold") {
    to.fillStyle = palette.line;
    to.beginPath();
    to.arc(size / 2, size / 2, size * 0.17, 0, Math.PI * 2);
    to.fill();
    return;
  }
  if (look === "held") {
    to.strokeStyle = palette.muted;
    to.lineWidth = Math.max(1, size * 0.07);
    to.beginPath();
    to.roundRect(inset * 2.2, inset * 2.2, size - inset * 4.4, size - inset * 4.4, size * 0.18);
    to.stroke();
    return;
  }
  // A wheelchair place is round, its companion's seat has one straight corner.
  const radius = look === "wheelchair" ? side / 2 : size * 0.26;
  to.fillStyle = palette.zones[zone % palette.zones.length] ?? palette.muted;
  to.beginPath();
  to.roundRect(
    inset,
    inset,
    side,
    side,
    look === "companion" ? [radius, radius, radius, 0] : radius,
  );
  to.fill();
  // A number needs its ground in peace.
  if (isNumbered) return;
  to.clip();
  drawTexture(to, size, zone, palette.onZone);
}

export function createSprites(palette: Palette) {
  const kept = new Map<string, Picture>();
  const textures = new Map<number, CanvasPattern | null>();
  const once = (key: string, make: () => Picture): Picture => {
    const found = kept.get(key);
    if (found) return found;
    if (kept.size >= PICTURES_MAX) kept.clear();
    const made = make();
    kept.set(key, made);
    return made;
  };
  return {
    palette,
    /** @param size device pixels of one seat's cell. */
    seat: (look: SeatLook, zone: number, size: number, isNumbered: boolean): Picture =>
      once(`${look} ${zone} ${size} ${isNumbered}`, () =>
        makePicture(size, size, (to) => drawSeat(to, size, { look, zone, palette, isNumbered })),
      ),
    text: (text: string, size: number, colour: string): Picture =>
      once(`${text} ${size} ${colour}`, () =>
        makePicture(size * 1.4, size, (to) => {
          to.fillStyle = colour;
          to.font = `650 ${Math.round(size * 0.46)}px ${palette.font}`;
          to.textAlign = "center";
          to.textBaseline = "middle";
          to.fillText(text, size * 0.7, size * 0.53);
        }),
      ),
    /** The zone's texture as a fill for whole blocks. */
    texture(to: CanvasRenderingContext2D, zone: number, ratio: number): CanvasPattern | null {
      const found = textures.get(zone);
      if (found !== undefined) return found;
      const size = 11 * ratio;
      const tile = makePicture(size, size, (tile) => drawTexture(tile, size, zone, palette.onZone));
      const pattern = markOf(zone) === "" ? null : to.createPattern(tile, "repeat");
      textures.set(zone, pattern);
      return pattern;
    },
  };
}

export type Sprites = ReturnType<typeof createSprites>;
