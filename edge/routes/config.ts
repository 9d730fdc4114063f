import { json } from "../http/context.ts";
import { routes } from "../http/routes.ts";

const CONFIG_AGE_SECONDS = 60;

/** What a static page cannot know when it is built: where the core is. */
export const configRoutes = routes({
  "/api/config": {
    GET: async (c) =>
      json({ core: c.get("config").coreOrigin }, 200, {
        "cache-control": `public, max-age=${CONFIG_AGE_SECONDS}`,
      }),
  },
});
