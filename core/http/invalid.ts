import type { core, ZodError } from "zod";
import { Refusal } from "../../shared/errors.ts";

const FAULTS_MAX = 20;

type FieldFault = { field: string; message: string };
type Issue = core.$ZodIssue;

const join = (path: readonly PropertyKey[]): string =>
  path.map((part) => String(part).slice(0, 64)).join(".");

/** Names each bad field; an unknown field is named itself, not its parent. */
function faultsOf(issue: Issue, above: readonly PropertyKey[] = []): FieldFault[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ field: join([...path, key]), message: "unknown field" }));
  if (issue.code === "invalid_union") return closestBranch(issue, path);
  return [{ field: join(path), message: issue.message }];
}

/** Of the shapes that a body may have, the one it comes nearest to: the fewest faults, first wins. */
function closestBranch(
  issue: Issue & { code: "invalid_union" },
  path: readonly PropertyKey[],
): FieldFault[] {
  const branches = issue.errors.map((issues) => issues.flatMap((each) => faultsOf(each, path)));
  const [closest] = branches.toSorted((a, b) => a.length - b.length);
  return closest ?? [{ field: join(path), message: issue.message }];
}

/** 422 `invalid_request` with `errors: [{field, message}]`. */
export function invalidRequest(error: ZodError): Refusal {
  const errors = error.issues.flatMap((issue) => faultsOf(issue)).slice(0, FAULTS_MAX);
  const first = errors[0];
  return new Refusal("invalid_request", {
    ...(first ? { detail: `${first.field || "body"}: ${first.message}` } : {}),
    facts: { errors },
  });
}
