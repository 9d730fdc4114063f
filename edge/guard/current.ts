import type { GateContext } from "../http/context.ts";
import { keepAliveOf, param } from "../http/routes.ts";
import type { RoomEntry } from "../room/directory.ts";
import { findRoom } from "./rooms.ts";

/** The room that the path names. @throws {Refusal} 404 for an event that has none. */
export const currentRoom = (c: GateContext, now: number): Promise<RoomEntry> =>
  findRoom(c.env, param(c, "event"), { now, keepAlive: keepAliveOf(c) });
