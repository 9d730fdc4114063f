import type { ZodError } from "zod";
import { Refusal } from "../../shared/errors.ts";

const ISSUES_MAX = 20;

type FieldFault = { field: string; message: string };

/** Names each bad field; an unknown field is named itself, not its parent. */
function fieldFaults(error: ZodError): FieldFault[] {
  return error.issues.slice(0, ISSUES_MAX).flatMap((issue): FieldFault[] => {
    const path = issue.path.map(String);
    if (issue.code === "unrecognized_keys")
      return issue.keys.slice(0, ISSUES_MAX).map((key) => ({
        field: [...path, key.slice(0, 64)].join("."),
        message: "unknown field",
      }));
    return [{ field: path.join("."), message: issue.message }];
  });
}

/** 422 `invalid_request` with `errors: [{field, message}]`. */
export function invalidRequest(error: ZodError): Refusal {
  const errors = fieldFaults(error);
  const first = errors[0];
  return new Refusal("invalid_request", {
    ...(first ? { detail: `${first.field || "body"}: ${first.message}` } : {}),
    facts: { errors },
  });
}
