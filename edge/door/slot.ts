import type { DoorDesk } from "./desk.ts";
import type { SlotInput, SlotOutcome } from "./messages.ts";
import { away } from "./turn.ts";

/** The core frees or extends a slot; for another `jti`, or a place not inside, nothing changes. */
export async function moveSlot(desk: DoorDesk, input: SlotInput): Promise<SlotOutcome> {
  const fence = await desk.readyFence();
  if (!fence) return unready();
  const { place, jti } = input;
  const result =
    input.action === "release"
      ? await desk.line.release(fence, { place, jti })
      : await desk.line.extend(fence, { place, jti, untilMs: input.untilMs ?? 0 });
  switch (result.state) {
    case "released":
      desk.rows.put(result.row);
      return { kind: "done" };
    case "extended":
      desk.rows.put(result.row);
      return { kind: "done", until: result.until };
    case "unchanged":
      return { kind: "unchanged" };
    case "away":
      desk.onAway(result);
      return unready();
  }
}

function unready(): SlotOutcome {
  const refused = away();
  return { kind: "away", retryAfterMs: refused.kind === "away" ? refused.retryAfterMs : 0 };
}
