// Who reaches whom: we both of them, and each of them the other.
import { bad, type Finding, good } from "./finding.ts";

const TIMEOUT_MS = 5_000;

export async function checkReady(name: "gate" | "core", origin: string): Promise<Finding[]> {
  const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  if (response.ok && !text.includes("degraded")) return [good(name, `${origin} is ready`)];
  const says = `${origin}/readyz answered ${response.status}: ${text.slice(0, 200)}`;
  return [bad(name, says, `look at the ${name}'s log, and at what it needs (below)`)];
}

/**
 * The gate believes an organizer token only by the core's keys, which it fetches; so a room's answer
 * other than 401 shows that the gate reaches the core.
 */
export async function checkGateToCore(
  gate: string,
  token: string,
  event: string,
): Promise<Finding[]> {
  const response = await fetch(`${gate}/api/rooms/${event}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  const { status } = response;
  if (status === 200 || status === 404 || status === 403)
    return [good("gate → core", "the gate knows the core's keys")];
  return [
    bad(
      "gate → core",
      `the gate answers ${status} to an organizer token of the core`,
      "ISSUERS of the gate must name the core's CORE_ORIGIN as iss, and a jwksUrl the gate reaches",
    ),
  ];
}

/**
 * The core answers an admission by a key it has never seen with 401 when it could look the key up at
 * the gate, and with 503 when it could not.
 */
export async function checkCoreToGate(core: string, event: string): Promise<Finding[]> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = part({ alg: "ES256", typ: "admission+jwt", kid: `doctor-${Date.now()}` });
  const claims = part({ aud: `core/${event}`, iss: "doctor", sub: "doctor" });
  const response = await fetch(`${core}/v1/events/${event}/presence`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${header}.${claims}.${"A".repeat(86)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ section: "doctor" }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (response.status === 401) return [good("core → gate", "the core knows the gate's keys")];
  return [
    bad(
      "core → gate",
      `the core answers ${response.status} to an admission by an unknown key`,
      "EDGE_ORIGIN (or GATE_JWKS_URL) of the core must be reachable from the core",
    ),
  ];
}
