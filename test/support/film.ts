// A film for Chromium's fake camera: one ticket held still before the lens, as YUV4MPEG2.
import { writeFileSync } from "node:fs";
import QRCode from "qrcode";

const WIDTH = 640;
const HEIGHT = 480;
const MODULE_PX = 7;
const PAPER = 235;
const INK = 16;
const NO_COLOUR = 128;

export function filmCode(path: string, code: string): void {
  const { modules } = QRCode.create(code, { errorCorrectionLevel: "M" });
  const { size, data } = modules;
  const luma = Buffer.alloc(WIDTH * HEIGHT, PAPER);
  const left = Math.floor((WIDTH - size * MODULE_PX) / 2);
  const top = Math.floor((HEIGHT - size * MODULE_PX) / 2);
  for (let y = 0; y < size * MODULE_PX; y += 1)
    for (let x = 0; x < size * MODULE_PX; x += 1) {
      const module = Math.floor(y / MODULE_PX) * size + Math.floor(x / MODULE_PX);
      if (data[module]) luma[(top + y) * WIDTH + left + x] = INK;
    }
  const colour = Buffer.alloc((WIDTH * HEIGHT) / 2, NO_COLOUR);
  const frame = Buffer.concat([Buffer.from("FRAME\n"), luma, colour]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([head, frame, frame]));
}

export const filmFlags = (path: string): string[] => [
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
  `--use-file-for-fake-video-capture=${path}`,
];
