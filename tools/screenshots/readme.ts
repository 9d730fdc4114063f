// The pictures of the README, laid out from those that the other parts took:
// `node tools/screenshots/readme.ts [--out DIR]` after `npm run screenshots`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT_DIR } from "../services/root.ts";
import { launchChromium } from "./shop-stand.ts";

type Sheet = { to: string; width: number; height: number; background: string; shots: Shot[] };
/** One picture on a sheet: where its corner is, and how wide it is there. */
type Shot = { of: string; left: number; top: number; width: number; height: number };

const whole = (of: string, width: number, height: number): Shot[] => [
  { of, left: 0, top: 0, width, height },
];

const SHEETS: readonly Sheet[] = [
  {
    to: "edge/pages/queue/picture.png",
    width: 1280,
    height: 800,
    background: "#0e1413",
    shots: whole("queue/10-waiting-desk-dark.png", 1280, 800),
  },
  {
    to: "edge/pages/shop/picture.jpg",
    width: 1280,
    height: 760,
    background: "#d9e2dc",
    shots: [
      { of: "shop/15-arena-desk-dark.png", left: 24, top: 32, width: 936, height: 696 },
      { of: "shop/02-map-chosen-phone-light.png", left: 930, top: 40, width: 320, height: 692 },
    ],
  },
  {
    to: "edge/pages/console/picture.png",
    width: 1280,
    height: 1040,
    background: "#f1f3ef",
    shots: whole("console/02-live-desk-light.png", 1280, 1040),
  },
];

const { values } = parseArgs({
  options: { out: { type: "string", default: join(ROOT_DIR, ".sira/screenshots") } },
});

function markup({ of, left, top, width, height }: Shot, isFramed: boolean): string {
  const data = readFileSync(join(values.out, of)).toString("base64");
  const frame = isFramed ? "border-radius:16px;box-shadow:0 8px 32px #0006" : "";
  return `<div style="position:absolute;overflow:hidden;left:${left}px;top:${top}px;width:${width}px;height:${height}px;${frame}"><img style="width:100%" src="data:image/png;base64,${data}"></div>`;
}

const browser = await launchChromium();
try {
  for (const { to, width, height, background, shots } of SHEETS) {
    const page = await browser.newPage({ viewport: { width, height } });
    const body = shots.map((shot) => markup(shot, shots.length > 1)).join("");
    await page.setContent(`<body style="margin:0;background:${background}">${body}`);
    const isPhoto = to.endsWith(".jpg");
    await page.screenshot({
      path: join(ROOT_DIR, to),
      ...(isPhoto ? { type: "jpeg", quality: 84 } : {}),
    });
    await page.close();
    console.log(to);
  }
} finally {
  await browser.close();
}
