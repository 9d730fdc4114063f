/** Every bound that both sides of a wire rely on, with its unit in its name. */

/** Larger JSON bodies are refused before they are parsed (the seat map import has its own). */
export const BODY_BYTES_MAX = 16_384;
/** 60,000 seats as JSON rows and a CSV of as many lines fit well inside. */
export const SEAT_MAP_BYTES_MAX = 16 * 1024 * 1024;
/** What a house may have, however it is described. */
export const SECTIONS_MAX = 500;
export const ROWS_PER_SECTION_MAX = 2_000;
export const SEATS_PER_ROW_MAX = 500;
/** Tokens longer than this are refused before anything parses them. */
export const TOKEN_CHARS_MAX = 4_096;
export const SEATS_PER_HOLD_MAX = 50;
export const ADDONS_PER_HOLD_MAX = 20;

export const HOLD_MS_DEFAULT = 600_000;
export const HOLD_MS_MIN = 60_000;
export const HOLD_MS_MAX = 900_000;
/** How long an attempt protects the seats it pays for. */
export const PAYING_MS = 900_000;

/** RFC 9449 §11.1: a proof is fresh this long on either side of our clock. */
export const DPOP_IAT_WINDOW_MS = 60_000;
/** A nonce of ours stands in for the clock of a phone that is wrong. */
export const DPOP_NONCE_MS = 300_000;

/** Admission tokens end this much before their slot, so that skew never lets one outlive it. */
export const ADMISSION_EXP_MARGIN_MS = 60_000;
export const SESSION_MS_DEFAULT = 600_000;
export const SESSION_MS_MIN = 60_000;
export const CLAIM_MS_DEFAULT = 60_000;

export const NOTICE_CHARS_MAX = 500;
export const REASON_CHARS_MAX = 500;
export const AUDIT_BYTES_MAX = 4_096;
export const IDEMPOTENCY_KEY_CHARS_MAX = 255;
