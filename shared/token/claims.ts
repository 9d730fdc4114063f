/**
 * What each token says. Gate and core sign and verify nothing else; a claim that is not named here
 * is not relied on by anybody.
 */

/** What a key may sign. Each use has keys of its own, so one kind never passes for another. */
export type KeyUse = "place" | "admission" | "service" | "organizer" | "pass" | "ticket" | "order";

/** JOSE `typ` of each kind of token (RFC 8725 §3.11). */
export const TOKEN_TYPES = {
  place: "place+jwt",
  admission: "admission+jwt",
  service: "service+jwt",
  organizer: "organizer+jwt",
  pass: "pass+jwt",
  ticket: "ticket+jwt",
  order: "order+jwt",
} as const satisfies Record<KeyUse, string>;

/** RFC 7800 confirmation: the RFC 7638 thumbprint of the key that the token is bound to. */
export type Confirmation = { jkt: string };

type Registered = { iss: string; aud: string; iat: number; exp: number };

/** `aud: room/{event}`. A receipt: whoever holds it can prove the place. */
export type PlaceClaims = Registered & {
  sub: string;
  epoch: number;
  /** Raised when the place moves to another device; the lower one is refused as `moved`. */
  gen: number;
  /** Number in the line, once there is one. */
  num?: number;
  /** Index in the early pool of a drawn room. */
  idx?: number;
  /** Arrival, ms since 1970. */
  at: number;
  /** Account behind an entry pass: `iss|sub`. */
  acct?: string;
  cnf?: Confirmation;
};

/** `aud: core/{event}`. Good for one session of one event, for minutes. */
export type AdmissionClaims = Registered & {
  sub: string;
  epoch: number;
  gen: number;
  jti: string;
  nbf: number;
  acct?: string;
  cnf?: Confirmation;
};

/** `aud: room/{event}`. A registered account's entry pass. */
export type PassClaims = Registered & { sub: string };

export const ROLES = ["owner", "operator", "viewer", "scanner"] as const;
export type Role = (typeof ROLES)[number];

/** `aud: sira`: accepted by the core and by the gate alike. */
export type OrganizerClaims = Registered & { sub: string; role: Role; events: string[] };

export const SERVICE_SCOPES = ["slots", "capacity", "exchange", "admissions"] as const;
export type ServiceScope = (typeof SERVICE_SCOPES)[number];

/** `aud: gate` (from a core or a shop) or `aud: core` (from the gate). `scope`: space-separated. */
export type ServiceClaims = Registered & { sub: string; scope: string; events: string[] };

/** `aud: order/{id}`. Reaches one order and its tickets; made with the order. */
export type OrderClaims = Registered & { sub: string };

export type ClaimsOf = {
  place: PlaceClaims;
  admission: AdmissionClaims;
  service: ServiceClaims;
  organizer: OrganizerClaims;
  pass: PassClaims;
  ticket: Registered & { sub: string };
  order: OrderClaims;
};

export const roomAudience = (event: string): string => `room/${event}`;
export const coreAudience = (event: string): string => `core/${event}`;
export const orderAudience = (order: string): string => `order/${order}`;
export const ORGANIZER_AUDIENCE = "sira";
export const GATE_AUDIENCE = "gate";
export const CORE_AUDIENCE = "core";
