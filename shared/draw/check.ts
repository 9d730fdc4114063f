/** One thing that a verifier looked at. `id` and `facts` are for translation, `says` is plain English. */
export type Check = {
  id: CheckId;
  /** A note is true and worth knowing, but proves nothing. */
  result: "passed" | "failed" | "note";
  says: string;
  facts: Readonly<Record<string, string | number>>;
};

export type CheckId =
  | "format"
  | "chain"
  | "known_chain"
  | "abandoned"
  | "abandoned_seed"
  | "epochs"
  | "drawn"
  | "commitment"
  | "beacon"
  | "round"
  | "signature"
  | "published"
  | "steering"
  | "empty"
  | "every"
  | "number"
  | "owner"
  | "late"
  | "proof"
  | "place";

type Facts = Check["facts"];

export const passed = (id: CheckId, says: string, facts: Facts = {}): Check => ({
  id,
  result: "passed",
  says,
  facts,
});

export const failed = (id: CheckId, says: string, facts: Facts = {}): Check => ({
  id,
  result: "failed",
  says,
  facts,
});

export const note = (id: CheckId, says: string, facts: Facts = {}): Check => ({
  id,
  result: "note",
  says,
  facts,
});
