import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromHex } from "../../shared/draw/hex.ts";
import { NO_BEACON } from "../../shared/draw/key.ts";
import { drawOf } from "../../shared/draw/numbers.ts";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

test.concurrent("a fan joins a room in arrival order, is called and gets an admission for the core", async () => {
  await stand.room("walk");
  const fan = await joinAs(stand, "walk");
  expect(fan.joined.place.number).toBe(1);
  expect(fan.joined.status).toMatchObject({ event: "walk", phase: "open", early: "fifo" });
  const admitted = await fan.admit();
  expect(admitted.continueTo).toBe("/shop/walk");
  expect(admitted.admission.type).toBe("DPoP");
  const header = decodeProtectedHeader(admitted.admission.token);
  expect(header).toMatchObject({ alg: "ES256", typ: "admission+jwt" });
  const claims = decodeJwt(admitted.admission.token);
  expect(claims).toMatchObject({
    iss: stand.gate.origin,
    aud: "core/walk",
    sub: fan.joined.place.id,
    gen: 1,
  });
  const jwks = await request<{ keys: { kid: string }[] }>(
    "GET",
    `${stand.gate.origin}/.well-known/jwks.json`,
  );
  expect(jwks.body.keys.map(({ kid }) => kid)).toContain(header.kid);
  const again = await fan.admit();
  expect(decodeJwt(again.admission.token)).toEqual(claims);
});

test.concurrent("a drawn room opens by lot, and every fan's number follows from the published seed", async () => {
  await stand.room("lot", {
    early: "draw",
    opensAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const fans = await Promise.all(Array.from({ length: 6 }, () => joinAs(stand, "lot")));
  expect(new Set(fans.map(({ joined }) => joined.place.index))).toEqual(
    new Set([0, 1, 2, 3, 4, 5]),
  );
  await stand.call("POST", "/api/rooms/lot/actions", { action: "open", reason: "all are here" });
  const opened = await until(async () => {
    const status = await stand.status("lot");
    return status.phase === "open" && status.pool.seed !== undefined && status;
  });
  expect(opened.pool.size).toBe(6);
  const draw = drawOf({
    seed: fromHex(opened.pool.seed ?? ""),
    beacon: NO_BEACON,
    event: "lot",
    epoch: opened.epoch,
    count: 6,
  });
  for (const fan of fans) {
    const turn = await fan.turn();
    expect(turn.body).toMatchObject({ number: draw.numberOf(fan.joined.place.index ?? -1) });
  }
  const late = await joinAs(stand, "lot");
  expect(late.joined.place.number).toBe(7);
  await Promise.all(fans.map((fan) => fan.admit()));
});
