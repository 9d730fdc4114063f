import { json } from "../http/context.ts";
import { routes } from "../http/routes.ts";

const CONFIG_AGE_SECONDS = 60;

/** What a static page cannot know when it is built: where the core is, and who takes cards. */
export const configRoutes = routes({
  "/api/config": {
    GET: async (c) => {
      const { coreOrigin, stripe } = c.get("config");
      return json({ core: coreOrigin, ...(stripe ? { stripe } : {}) }, 200, {
        "cache-control": `public, max-age=${CONFIG_AGE_SECONDS}`,
      });
    },
  },
});
