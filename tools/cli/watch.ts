// A sale in the terminal: drawn anew each second, until Ctrl-C.
import { setTimeout as sleep } from "node:timers/promises";
import type { Figures } from "../../edge/room/messages.ts";
import { type Client, Refused } from "./client.ts";
import type { Output } from "./output.ts";
import { drawScreen } from "./screen.ts";

const CLEAR = "\u001b[H\u001b[J";
const COLUMNS_DEFAULT = 80;

export async function watchSale(
  client: Client,
  output: Output,
  options: { readonly event: string; readonly everyMs: number; readonly once: boolean },
): Promise<void> {
  let trouble = "";
  for (;;) {
    try {
      const figures = await readFigures(client, options.event);
      trouble = "";
      draw(figures, output, options.once);
    } catch (error) {
      // A refusal will not change by asking again; a server that is away may come back.
      if (error instanceof Refused && error.status < 500) throw error;
      if (options.once) throw error;
      trouble = error instanceof Error ? error.message : String(error);
      output.say(`  ${trouble} – trying again`);
    }
    if (options.once) return;
    await sleep(options.everyMs);
  }
}

export const readFigures = (client: Client, event: string): Promise<Figures> =>
  client.gate<Figures>("GET", `/api/rooms/${encodeURIComponent(event)}/figures`);

function draw(figures: Figures, output: Output, once: boolean): void {
  const { history, ...present } = figures;
  const isScreen = process.stdout.isTTY === true && !output.json && !once;
  const lines = drawScreen(figures, Date.now(), process.stdout.columns ?? COLUMNS_DEFAULT);
  if (isScreen) process.stdout.write(CLEAR);
  output.show(once ? { ...present, history } : present, [...lines, ""]);
}
