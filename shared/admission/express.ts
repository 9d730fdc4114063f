import { type Admission, type AdmissionVerifier, problemOf } from "./verifier.ts";

/** The part of Express' (and Connect's) request and response that is used here. */
type Request = {
  method: string;
  originalUrl: string;
  headers: { [name: string]: string | string[] | undefined };
};
type Response<Locals> = {
  locals: Locals;
  status(code: number): Response<Locals>;
  set(headers: Record<string, string>): Response<Locals>;
  send(body: string): unknown;
};

/**
 * For Express: admits, or answers with RFC 9457. Behind it `response.locals.admission` is the
 * admission.
 *
 * @param eventOf which event the request is for, from its path: never from the token.
 */
export function requireAdmission(
  verifier: AdmissionVerifier,
  eventOf: (path: string) => string | undefined,
) {
  return async function admit(
    request: Request,
    response: Response<{ admission?: Admission }>,
    next: (error?: unknown) => void,
  ): Promise<void> {
    const path = request.originalUrl.split("?", 1)[0] ?? "/";
    const event = eventOf(path);
    if (event === undefined) {
      response.status(404).send("");
      return;
    }
    const verdict = await verifier.verify(
      {
        method: request.method,
        path,
        authorization: joined(request.headers["authorization"]),
        dpop: joined(request.headers["dpop"]),
      },
      event,
    );
    if (verdict.ok) {
      response.locals.admission = verdict.value;
      next();
      return;
    }
    response
      .status(verdict.error.status)
      .set({ ...verdict.error.headers, "content-type": "application/problem+json" })
      .send(JSON.stringify(problemOf(verdict.error)));
  };
}

/** Two headers of a kind are one hostile header: joined by a comma they are refused. */
const joined = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(", ") : value;
