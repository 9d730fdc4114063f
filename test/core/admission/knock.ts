// A call that needs an admission and nothing else, and what a refusal of it must look like.
import { expect } from "vitest";
import type { House, Reply } from "../house.ts";

export const PATH = "/v1/events/alpha/presence";
export const METHOD = "PUT";
export const BODY = { section: "A" };

export const knockAt = (house: House, headers: Record<string, string>): Promise<Reply> =>
  house.request(METHOD, PATH, { headers, body: BODY });

export function expectRefused(reply: Reply, code = "admission_invalid"): void {
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ code, status: 401 });
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  expect(reply.headers.get("www-authenticate")).toMatch(/^DPoP algs="ES256".*, Bearer/);
  // One vague sentence: what exactly was wrong is for the log alone.
  expect(reply.body["detail"]).toBe(reply.body["title"]);
}
