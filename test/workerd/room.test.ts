import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { TurnOutcome } from "../../edge/door/messages.ts";
import type { Room } from "../../edge/room/room.ts";
import type { StatusDocument } from "../../shared/contract/queue.ts";
import { roomSettingsSchema } from "../../shared/contract/rooms.ts";
import type { PlaceId } from "../../shared/ids.ts";

const act = { actor: "test", requestId: "req_test" };

async function makeRoom(event: string): Promise<DurableObjectStub<Room>> {
  const room = env.ROOM.get(env.ROOM.idFromName(event));
  const settings = roomSettingsSchema.parse({
    opensAt: new Date(Date.now() - 1_000).toISOString(),
    early: "fifo",
    ratePerMinute: 600,
  });
  const made = await room.put({ event, settings }, act);
  expect(made.ok).toBe(true);
  return room;
}

const genOf = (room: DurableObjectStub<Room>) =>
  runInDurableObject(room, (_, state) => {
    const [row] = state.storage.sql.exec<{ value: string }>("select value from record").toArray();
    return (JSON.parse(row?.value ?? "{}") as { gen: number }).gen;
  });

async function untilAdmitted(look: () => Promise<TurnOutcome>) {
  for (;;) {
    const outcome = await look();
    if (outcome.kind === "admitted") return outcome;
    await scheduler.wait(100);
  }
}

const statusOf = async (room: DurableObjectStub<Room>): Promise<StatusDocument> =>
  JSON.parse((await room.status()) ?? "{}");

test("an alarm that comes twice or early beats twice and admits nobody twice", async () => {
  const room = await makeRoom("alarm");
  const before = await statusOf(room);
  expect(await runDurableObjectAlarm(room)).toBe(true);
  expect(await runDurableObjectAlarm(room)).toBe(true);
  const after = await statusOf(room);
  expect(after.v).toBeGreaterThan(before.v);
  expect(after.phase).toBe("open");
});

test("each life of a Room takes a higher gen, and a crash loses nothing", async () => {
  const event = "crashed";
  const room = await makeRoom(event);
  const first = await genOf(room);
  const before = await statusOf(room);
  await abortAllDurableObjects();
  const next = env.ROOM.get(env.ROOM.idFromName(event));
  const after = await statusOf(next);
  expect(await genOf(next)).toBeGreaterThan(first);
  expect(after).toMatchObject({ epoch: before.epoch, phase: "open", stale: false });
  expect(after.v).toBeGreaterThanOrEqual(before.v);
});

test("a Door that crashes after a claim still knows it, and a crash forgets no leave", async () => {
  const event = "door-crash";
  const room = await makeRoom(event);
  const place = "plc_00_AAAAAAAAAAAAAAAAAAAAAA" as PlaceId;
  const door = { event, epoch: 1, door: 0 };
  const doorOf = () => env.DOOR.get(env.DOOR.idFromName(`${event}/1/0`));
  const joined = await doorOf().join(door, { place, at: Date.now() });
  expect(joined).toMatchObject({ kind: "placed", known: false, number: 1 });
  const turn = { place, gen: 1, number: 1, hidden: false, wantsCode: false };
  const admitted = await untilAdmitted(async () => {
    const outcome = await doorOf().turn(door, turn);
    await runDurableObjectAlarm(room);
    return outcome;
  });
  await abortAllDurableObjects();
  expect(await doorOf().isInside(door, place)).toBe(true);
  expect(await doorOf().turn(door, turn)).toMatchObject({ kind: "admitted", jti: admitted.jti });
  expect(await doorOf().leave(door, { ...turn, closedAtCore: false })).toEqual({ kind: "left" });
  await abortAllDurableObjects();
  expect(await doorOf().turn(door, turn)).toEqual({ kind: "gone" });
});

test("a status read sets the alarm that was lost", async () => {
  const room = await makeRoom("lost");
  await runInDurableObject(room, (_, state) => state.storage.deleteAlarm());
  await statusOf(room);
  expect(await runInDurableObject(room, (_, state) => state.storage.getAlarm())).not.toBeNull();
});

test("a proof that was used before a Door's crash is not taken after it", async () => {
  const event = "door-proof";
  await makeRoom(event);
  const place = "plc_00_BBBBBBBBBBBBBBBBBBBBBB" as PlaceId;
  const door = { event, epoch: 1, door: 0 };
  const doorOf = () => env.DOOR.get(env.DOOR.idFromName(`${event}/1/0`));
  await doorOf().join(door, { place, at: Date.now() });
  const turn = (id: string) => ({
    ...{ place, gen: 1, number: 1, hidden: false, wantsCode: false },
    proof: { id, untilMs: Date.now() + 60_000 },
  });
  expect(await doorOf().turn(door, turn("one"))).not.toEqual({ kind: "replayed" });
  await abortAllDurableObjects();
  expect(await doorOf().turn(door, turn("one"))).toEqual({ kind: "replayed" });
  expect(await doorOf().turn(door, turn("two"))).not.toEqual({ kind: "replayed" });
});
