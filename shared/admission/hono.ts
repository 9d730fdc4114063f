import type { MiddlewareHandler } from "hono";
import { type Admission, type AdmissionVerifier, problemOf } from "./verifier.ts";

/**
 * For Hono: admits, or answers with RFC 9457. Behind it `c.get("admission")` is the admission.
 *
 * @param eventOf which event the request is for, from its path: never from the token.
 */
export function requireAdmission(
  verifier: AdmissionVerifier,
  eventOf: (path: string) => string | undefined,
): MiddlewareHandler<{ Variables: { admission: Admission } }> {
  return async function admit(c, next) {
    const path = new URL(c.req.url).pathname;
    const event = eventOf(path);
    if (event === undefined) return c.notFound();
    const verdict = await verifier.verify(
      {
        method: c.req.method,
        path,
        authorization: c.req.header("authorization"),
        dpop: c.req.header("dpop"),
      },
      event,
    );
    if (verdict.ok) {
      c.set("admission", verdict.value);
      return await next();
    }
    return c.body(JSON.stringify(problemOf(verdict.error)), verdict.error.status, {
      ...verdict.error.headers,
      "content-type": "application/problem+json",
    });
  };
}
