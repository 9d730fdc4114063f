import { expect } from "vitest";
import { ERRORS } from "../../../shared/errors.ts";
import type { Reply } from "../house.ts";

/** Every member that RFC 9457 and our contract ask for. */
export function expectProblem(reply: Reply, code: keyof typeof ERRORS): void {
  expect(reply.body["code"]).toBe(code);
  expect(reply.status).toBe(ERRORS[code].status);
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  expect(reply.body).toMatchObject({
    type: `urn:sira:problem:${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    detail: expect.any(String),
    requestId: reply.headers.get("x-request-id"),
  });
}
