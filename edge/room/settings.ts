import type { RoomPatch, RoomSettings } from "../../shared/contract/rooms.ts";
import type { GateConfig } from "../env.ts";
import { isFriendlyOrigin } from "../http/cors.ts";
import type { Verdict } from "./messages.ts";

/** Rules between settings, and between them and the deployment. Pure. */

const bad = (field: string, why: string): Verdict<never> => ({
  ok: false,
  code: "invalid_request",
  detail: `${field}: ${why}`,
  facts: { field, errors: [{ field, message: why }] },
});

export function judgeSettings(
  config: Pick<
    GateConfig,
    "edgeOrigin" | "shopOrigins" | "proxyOrigins" | "beaconHosts" | "turnstile"
  >,
  settings: RoomSettings,
): Verdict<RoomSettings> {
  const { opensAt, closesAt, continueTo, beacon, proxy, mode } = settings;
  if (closesAt !== undefined && Date.parse(closesAt) <= Date.parse(opensAt))
    return bad("closesAt", "must be after opensAt");
  if (continueTo?.startsWith("http")) {
    if (!URL.canParse(continueTo)) return bad("continueTo", "not an address");
    const { origin } = new URL(continueTo);
    const known = settings.returnOrigins.includes(origin) || origin === config.edgeOrigin;
    if (!known) return bad("continueTo", "its origin is not in returnOrigins");
  }
  for (const [at, origin] of settings.returnOrigins.entries()) {
    if (!origin.startsWith("https:") && !isLocal(origin) && !isFriendlyOrigin(config, origin))
      return bad(`returnOrigins.${at}`, "must be https");
  }
  if (beacon.url !== undefined && !config.beaconHosts.includes(new URL(beacon.url).host))
    return bad("beacon.url", "the deployment does not list this host");
  if (settings.challenge === "turnstile" && config.turnstile.secret === "")
    return bad("challenge", "this deployment has no Turnstile secret");
  if (mode === "proxy" && !proxy) return bad("proxy", "a proxy room needs it");
  if (proxy && !config.proxyOrigins.includes(proxy.origin))
    return bad("proxy.origin", "the deployment does not list this origin");
  return { ok: true, value: settings };
}

/** New entries of the schedule lie ahead and change something; old ones may be just about to be due. */
export function judgeSchedule(
  before: RoomSettings | undefined,
  after: RoomSettings,
  now: number,
): Verdict<RoomSettings> {
  const known = new Set(before?.schedule.map((change) => JSON.stringify(change)));
  for (const [at, change] of after.schedule.entries()) {
    if (known.has(JSON.stringify(change))) continue;
    if (Date.parse(change.at) <= now) return bad(`schedule.${at}.at`, "has passed already");
    const { at: _, reason: __, ...fields } = change;
    if (Object.values(fields).every((value) => value === undefined))
      return bad(`schedule.${at}`, "changes nothing");
  }
  return { ok: true, value: after };
}

/** What is named changes; the reason belongs to the log. */
export function applyPatch(settings: RoomSettings, patch: RoomPatch): RoomSettings {
  const { reason: _, ...changes } = patch;
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...settings, ...Object.fromEntries(named) };
}

/** Only what differs, for the audit log. */
export function differences(
  before: RoomSettings,
  after: RoomSettings,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const changed = (Object.keys({ ...before, ...after }) as (keyof RoomSettings)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (from: RoomSettings) => Object.fromEntries(changed.map((key) => [key, from[key]]));
  return { before: pick(before), after: pick(after) };
}

const isLocal = (origin: string): boolean =>
  ["127.0.0.1", "localhost", "[::1]"].includes(new URL(origin).hostname);
