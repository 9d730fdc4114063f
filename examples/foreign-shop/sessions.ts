// Who is shopping here: the visitor's cookie names a session, the session holds the admission.
import { randomBytes } from "node:crypto";
import type { Admission } from "../../shared/admission/verifier.ts";

export interface Sessions {
  /** @returns the cookie's value. */
  open(admission: Admission): string;
  /** Only while the admission counts. */
  find(cookie: string | undefined, now: Date): Admission | undefined;
  /** The gate has ended the admission of this place. */
  close(event: string, place: string): void;
}

export function createSessions(): Sessions {
  const sessions = new Map<string, Admission>();
  return {
    open(admission) {
      const cookie = randomBytes(24).toString("base64url");
      sessions.set(cookie, admission);
      return cookie;
    },
    find(cookie, now) {
      const admission = cookie === undefined ? undefined : sessions.get(cookie);
      return admission !== undefined && admission.expiresAt > now ? admission : undefined;
    },
    close(event, place) {
      for (const [cookie, admission] of sessions) {
        if (admission.event === event && admission.place === place) sessions.delete(cookie);
      }
    },
  };
}
