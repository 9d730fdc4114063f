import { app } from "./app.ts";
import type { Env } from "./env.ts";

/** The Worker: the app for requests, and the classes of its Durable Objects. */
export { Door } from "./door/door.ts";
export { Directory } from "./room/directory.ts";
export { Room } from "./room/room.ts";

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>;
