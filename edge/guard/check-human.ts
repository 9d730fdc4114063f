import type { JoinRequest } from "../../shared/contract/queue.ts";
import { Refusal } from "../../shared/errors.ts";
import { err, type Result } from "../../shared/result.ts";
import { turnstileAction } from "../../shared/turnstile-script.ts";
import type { GateConfig } from "../env.ts";
import { clientGroup } from "../http/client-address.ts";
import { log } from "../http/problem.ts";
import type { RoomEntry } from "../room/directory.ts";
import {
  type ChallengeFault,
  difficultyOf,
  judgeSolution,
  makeChallenge,
  type Solved,
} from "./challenge.ts";
import type { Identified } from "./identify.ts";
import { AddressJoins, JOINS_PER_ADDRESS_MAX, JOINS_WINDOW_MS } from "./suspicion.ts";
import { decideChallenge, VERIFIER_AWAY_MS, verifyTurnstile } from "./turnstile.ts";

/**
 * The check before a room with `challenge` gives a place. Nothing is kept of it: a solution names the
 * place it is for, so shown twice it finds the same place twice. Who shows a receipt is never asked.
 */
type Shown = { room: RoomEntry; body: JoinRequest; now: number };

const addresses = new AddressJoins();

/** What the join brought along, judged as proof of work; a cookie's place is made from its seed. */
export async function readSolution(
  config: GateConfig,
  shown: Shown,
): Promise<Result<Solved, ChallengeFault>> {
  const { room, body, now } = shown;
  if (body.challenge === undefined) return err("malformed");
  const expected = { event: room.event, epoch: room.epoch, now };
  return await judgeSolution(config.challengeSecret, body.challenge, expected);
}

/** Of this isolate: when the verifier may be asked again, ms since 1970. */
let verifierAwayUntil = 0;

/**
 * @param request whose address is counted: where too many new places are asked for from one, the next
 *   costs a proof of work, also in a room without a check.
 * @returns the address's RateLimit fields, where one was counted.
 * @throws {Refusal} 403 with what to solve; a solution that does not hold comes with a fresh one.
 */
export async function requireHuman(
  config: GateConfig,
  request: Request,
  shown: Shown & {
    fan: Identified;
    solution: Result<Solved, ChallengeFault>;
    /** Tells the room, whose figures show until when work is asked for instead. */
    onVerifierAway: (until: number) => void;
  },
): Promise<Record<string, string>> {
  const { room, fan, body, now, solution } = shown;
  const address = fan.receipt === undefined ? clientGroup(request, config.trustedPeers) : undefined;
  const load = address === undefined ? 0 : addresses.count(`${room.event} ${address}`, now);
  const setting = room.challenge === "none" && load > 1 ? "pow" : room.challenge;
  const asked = () =>
    decideChallenge({
      // A fan without a key is known by a seed, which only a proof of work carries.
      setting: setting === "turnstile" && fan.seed !== undefined ? "pow" : setting,
      isKnown: fan.receipt !== undefined,
      verifierAwayUntil,
      now,
    });
  const limit = address === undefined ? {} : limitFields(load);
  if (asked().kind === "none") return limit;
  if (solution.ok && solution.value.place === fan.place) return limit;
  if (asked().kind === "turnstile" && body.challenge !== undefined) {
    const verdict = await verifyTurnstile(
      { ...config.turnstile, fetch: config.outbound },
      {
        token: body.challenge,
        event: room.event,
        place: fan.place,
        hostname: new URL(config.edgeOrigin).hostname,
      },
    );
    if (verdict === "passed") return limit;
    if (verdict === "away") {
      verifierAwayUntil = now + VERIFIER_AWAY_MS;
      log("gate.verifier_away", { event: room.event });
      shown.onVerifierAway(verifierAwayUntil);
    }
  }
  const reason = solution.ok ? "another place's" : solution.error;
  throw new Refusal(body.challenge === undefined ? "challenge_required" : "challenge_failed", {
    reason,
    headers: limit,
    facts: { challenge: await offer(config, { ...shown, load }, asked().kind) },
  });
}

/** What is left of the address's joins; beyond it they cost work, so nothing is ever refused. */
function limitFields(load: number): Record<string, string> {
  const left = Math.max(0, Math.round((1 - load) * JOINS_PER_ADDRESS_MAX));
  const seconds = JOINS_WINDOW_MS / 1_000;
  return {
    "ratelimit-policy": `"address";q=${JOINS_PER_ADDRESS_MAX};w=${seconds}`,
    ratelimit: `"address";r=${left};t=${seconds}`,
  };
}

async function offer(
  config: GateConfig,
  shown: Shown & { fan: Identified; load: number },
  kind: "none" | "pow" | "turnstile",
): Promise<object> {
  const { room, fan, now } = shown;
  const { event, epoch } = room;
  if (kind === "turnstile")
    return {
      kind,
      siteKey: config.turnstile.siteKey,
      script: config.turnstile.script,
      action: turnstileAction(event),
      cData: fan.place,
    };
  return await makeChallenge(
    config.challengeSecret,
    { event, epoch, place: fan.place, ...(fan.seed === undefined ? {} : { seed: fan.seed }) },
    { now, difficulty: difficultyOf(shown.load) },
  );
}
