import type { Bindings } from "../../edge/env.ts";

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {}
  }
}
