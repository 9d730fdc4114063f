import { json } from "../http/context.ts";
import { routes } from "../http/routes.ts";

const CONFIG_AGE_SECONDS = 60;

/** What a static page cannot know when it is built: the core, who takes cards, the key for Web Push. */
export const configRoutes = routes({
  "/api/config": {
    GET: async (c) => {
      const { coreOrigin, stripe, pushKey } = c.get("config");
      const push = pushKey === undefined ? {} : { push: pushKey.publicKey };
      return json({ core: coreOrigin, ...(stripe ? { stripe } : {}), ...push }, 200, {
        "cache-control": `public, max-age=${CONFIG_AGE_SECONDS}`,
      });
    },
  },
});
