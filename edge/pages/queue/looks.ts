import type { Branding } from "../../../shared/contract/queue.ts";

/** The organizer's looks, with code that is fetched only for rooms that have some. */

let dress: ((branding: Branding, language: string, screen: string) => void) | undefined;
let fetching = false;
let wanted: Parameters<NonNullable<typeof dress>> | undefined;

const hasLooks = ({ logo, accent, paper, link, links, texts }: Branding): boolean =>
  [logo, accent, paper, link, links, texts].some((part) => part !== undefined);

export function showLooks(branding: Branding | undefined, language: string, screen: string): void {
  wanted = [branding ?? {}, language, screen];
  if (dress) dress(...wanted);
  if (dress || fetching || !branding || !hasLooks(branding)) return;
  fetching = true;
  import("./branding.ts").then(
    (code) => {
      dress = code.dress;
      if (wanted) dress(...wanted);
    },
    () => {
      fetching = false;
    },
  );
}
