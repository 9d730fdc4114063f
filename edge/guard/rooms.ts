import { Refusal } from "../../shared/errors.ts";
import { isEventId, type PlaceId } from "../../shared/ids.ts";
import type { Door } from "../door/door.ts";
import type { Env, GateConfig } from "../env.ts";
import { Fresh } from "../http/fresh.ts";
import type { RoomEntry } from "../room/directory.ts";
import type { Room } from "../room/room.ts";
import { doorOfPlace } from "./place-id.ts";

/** An isolate's view of the Directory: at most one look a second, whoever asks for whatever. */
const LIST_AGE_MS = 1_000;

type View = { version: number; byEvent: ReadonlyMap<string, RoomEntry> };

const views = new WeakMap<Env, Fresh<View>>();

function viewOf(env: Env): Fresh<View> {
  const view = views.get(env) ?? new Fresh<View>(LIST_AGE_MS);
  views.set(env, view);
  return view;
}

async function readView(env: Env, more: { now: number; keepAlive: KeepAlive }): Promise<View> {
  const view = viewOf(env);
  return await view.get(more.now, {
    keepAlive: more.keepAlive,
    load: async () => {
      const { last } = view;
      const directory = env.DIRECTORY.get(env.DIRECTORY.idFromName("directory"));
      const list = await directory.list(last?.version ?? 0);
      if (!list) return last ?? { version: 0, byEvent: new Map() };
      const byEvent = new Map(list.rooms.map((room) => [room.event, room]));
      return { version: list.version, byEvent };
    },
  });
}

export type KeepAlive = (work: Promise<unknown>) => void;

/** @throws {Refusal} 404 for every id that no organizer made a room for. */
export async function findRoom(
  env: Env,
  event: string,
  more: { now: number; keepAlive: KeepAlive },
): Promise<RoomEntry> {
  if (!isEventId(event)) throw new Refusal("unknown_event");
  const view = viewOf(env);
  let list: View;
  try {
    list = await readView(env, more);
  } catch (error) {
    if (!view.last) throw error;
    list = view.last;
  }
  const room = list.byEvent.get(event);
  if (!room) throw new Refusal("unknown_event");
  return room;
}

export async function listRooms(
  env: Env,
  more: { now: number; keepAlive: KeepAlive },
): Promise<RoomEntry[]> {
  const list = await readView(env, more);
  return [...list.byEvent.values()];
}

/** What an organizer has just changed is seen by this isolate at once. */
export const forgetRooms = (env: Env): void => viewOf(env).forget();

export const roomObject = (
  env: Env,
  config: Pick<GateConfig, "placing">,
  event: string,
): DurableObjectStub<Room> => env.ROOM.get(env.ROOM.idFromName(event), config.placing);

export const doorName = (event: string, epoch: number, door: number): string =>
  `${event}/${epoch}/${door}`;

/** A new object is made where the deployment wants it: near Redis, which it talks to all the time. */
export const doorByName = (
  env: Env,
  config: Pick<GateConfig, "placing">,
  name: string,
): DurableObjectStub<Door> => env.DOOR.get(env.DOOR.idFromName(name), config.placing);

export const doorObject = (
  env: Env,
  config: Pick<GateConfig, "placing">,
  more: { room: { event: string; epoch: number }; place: PlaceId },
): DurableObjectStub<Door> =>
  doorByName(env, config, doorName(more.room.event, more.room.epoch, doorOfPlace(more.place)));
