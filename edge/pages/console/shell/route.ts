import { useEffect, useState } from "preact/hooks";

/** Where in the console somebody is: `#/{event}/{view}`, or `#//{view}` for what concerns all. */

export const VIEWS = ["live", "orders", "event", "room", "rehearse", "after", "log"] as const;
export const HOUSE_VIEWS = ["new", "books", "access"] as const;
export type View = (typeof VIEWS)[number] | (typeof HOUSE_VIEWS)[number];
export type Route = { event: string; view: View };

/** Pure. An address of another form is the first view of the first event. */
export function routeOf(hash: string): Route {
  const [, event = "", view = ""] = /^#\/?([^/]*)(?:\/(\w+))?$/.exec(hash) ?? [];
  const known = [...VIEWS, ...HOUSE_VIEWS].find((each) => each === view);
  return { event: decodeURIComponent(event), view: known ?? "live" };
}

export const hashOf = ({ event, view }: Route): string => `#/${encodeURIComponent(event)}/${view}`;

export const isHouseView = (view: View): view is (typeof HOUSE_VIEWS)[number] =>
  HOUSE_VIEWS.some((each) => each === view);

export function useRoute(): [Route, (route: Route) => void] {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const listen = () => setRoute(routeOf(location.hash));
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  return [
    route,
    (next) => {
      location.hash = hashOf(next);
    },
  ];
}
