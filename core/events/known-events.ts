import type { MiddlewareHandler } from "hono";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { Refusal } from "../../shared/errors.ts";
import type { AppEnv } from "../http/router.ts";
import type { EventViews } from "./event-views.ts";

const PATH = /^\/v1\/organizer\/events\/([^/]+)(\/.*)?$/;

/**
 * What organizers do about an event that is not there is 404, whatever it is and whatever its body:
 * an empty list would look like an event without any. Only a PUT of the event itself makes one.
 */
export const knownEvents = (views: EventViews): MiddlewareHandler<AppEnv> =>
  async function known(c, next) {
    const [, name = "", rest = ""] = PATH.exec(c.req.path) ?? [];
    if (rest !== "" || c.req.method !== "PUT") {
      const event = eventIdSchema.safeParse(name);
      if (!event.success) throw new Refusal("unknown_event");
      await views.read(event.data);
    }
    await next();
  };
