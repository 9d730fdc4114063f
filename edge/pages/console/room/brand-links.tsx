import type { RoomView } from "../calls/room.ts";
import { TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

export type BrandLink = NonNullable<RoomView["branding"]["links"]>[number];
const LINKS_MAX = 5;

/** Where the queue page sends people for help, terms, the way there. */
export function BrandLinks(props: {
  links: readonly BrandLink[];
  onLinks: (links: BrandLink[]) => void;
}) {
  const { plan, texts } = useWords();
  const { links, onLinks } = props;
  const set = (at: number, change: Partial<BrandLink>) =>
    onLinks(links.map((link, i) => (i === at ? { ...link, ...change } : link)));
  return (
    <>
      {links.map((link, at) => (
        <div class="brand-link" key={at}>
          <TextField
            label={plan.linkText}
            value={link.text}
            onValue={(text) => set(at, { text })}
            required
            maxLength={60}
          />
          <TextField
            label={plan.linkHref}
            type="url"
            value={link.href}
            onValue={(href) => set(at, { href })}
            pattern="https://.*"
            required
            maxLength={300}
          />
          <button
            type="button"
            class="quiet small"
            aria-label={`${texts.remove} ${link.text}`}
            onClick={() => onLinks(links.filter((_, i) => i !== at))}
          >
            ×
          </button>
        </div>
      ))}
      {links.length < LINKS_MAX ? (
        <button
          type="button"
          class="quiet small"
          onClick={() => onLinks([...links, { text: "", href: "https://" }])}
        >
          {plan.addLink}
        </button>
      ) : null}
    </>
  );
}
