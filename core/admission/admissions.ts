import type { Context } from "hono";
import type { FanActor, ServiceActor } from "../context.ts";

/**
 * Who may shop. Every `admit…` throws a `Refusal` (`admission_required`, `admission_invalid`, or
 * `credential_invalid`), vague for the public, precise in the log, with `WWW-Authenticate`.
 */
export type Admissions = {
  /** A valid admission for this event: signature, times, and proof of the key it is bound to. */
  admit(c: Context, event: string): Promise<FanActor>;
  /**
   * For an existing hold: signature, event, subject and proof count, `exp` does not. The caller
   * compares `event` and `place` with the hold's and answers 404 when they differ.
   */
  admitHolder(c: Context): Promise<FanActor>;
  /** As `admit`, where the path names no event (carts): the token says which. */
  admitAnywhere(c: Context): Promise<FanActor>;
  /** The gate's service token with the scope `admissions` for this event. */
  admitGate(c: Context, event: string): Promise<ServiceActor>;
  /** For `DPoP-Nonce`. */
  currentNonce(): Promise<string>;
};
