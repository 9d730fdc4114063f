import type { GateConfig } from "../env.ts";

/** The admission on a proxied site's own host; an event cannot make it look like a place's cookie. */
export const admissionCookieName = (config: GateConfig, event: string): string =>
  `${config.secure ? "__Host-" : ""}sira-admission.${event}`;
