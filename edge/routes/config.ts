import { json } from "../http/context.ts";
import { routes } from "../http/routes.ts";

const CONFIG_AGE_SECONDS = 60;

/** What a static page cannot know when it is built: where the core is, and the key for Web Push. */
export const configRoutes = routes({
  "/api/config": {
    GET: async (c) => {
      const { coreOrigin, pushKey } = c.get("config");
      const push = pushKey === undefined ? {} : { push: pushKey.publicKey };
      return json({ core: coreOrigin, ...push }, 200, {
        "cache-control": `public, max-age=${CONFIG_AGE_SECONDS}`,
      });
    },
  },
});
