// Pictures of a page for people to look at: on a phone and a desk, by day and by night.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1_280, height: 860 },
} as const;

/** Takes nothing unless SIRA_PICTURES names a folder: a picture costs more than the test it is of. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env["SIRA_PICTURES"];
  if (folder === undefined || folder === "") return;
  mkdirSync(folder, { recursive: true });
  const before = page.viewportSize();
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: join(folder, `${name}-${size}-${colorScheme}.png`),
        fullPage: true,
        animations: "disabled",
      });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
