// The script texts in a bundle for workerd: `.lua` files are imported as text (esbuild's `text` loader,
// wrangler's Text rule). Node cannot run this file; it uses `scripts-node.ts`.

import admit from "./lua/admit.lua";
import arrivals from "./lua/arrivals.lua";
import common from "./lua/common.lua";
import extend from "./lua/extend.lua";
import figures from "./lua/figures.lua";
import fill from "./lua/fill.lua";
import join from "./lua/join.lua";
import leave from "./lua/leave.lua";
import peek from "./lua/peek.lua";
import pool from "./lua/pool.lua";
import refill from "./lua/refill.lua";
import release from "./lua/release.lua";
import tick from "./lua/tick.lua";
import turn from "./lua/turn.lua";
import type { ScriptTexts } from "./types.ts";

export const SCRIPT_TEXTS: ScriptTexts = {
  admit,
  arrivals,
  common,
  extend,
  figures,
  fill,
  join,
  leave,
  peek,
  pool,
  refill,
  release,
  tick,
  turn,
};
