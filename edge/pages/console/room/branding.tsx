import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import type { RoomPatch } from "../../../../shared/contract/rooms.ts";
import type { RoomView } from "../calls/room.ts";
import { Card, TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import { BrandingPreview } from "./branding-preview.tsx";
import { LogoField } from "./logo-field.tsx";

type Props = { room: RoomView; event: EventView; onPatch: (patch: RoomPatch) => void };
type Brand = RoomView["branding"];

/** Empty fields are left out: a name that nobody gave is not an empty name. */
const tidy = (brand: Brand): Brand => {
  const { link, ...plain } = brand;
  const given = Object.entries(plain).filter(([, value]) => value !== undefined && value !== "");
  const hasLink = link !== undefined && link.href !== "" && link.text !== "";
  return { ...Object.fromEntries(given), ...(hasLink ? { link } : {}) };
};

const without = ({ logo: _, ...rest }: Brand): Brand => rest;

/** How the queue page looks, and how it will look. */
export function Branding({ room, event, onPatch }: Props) {
  const { plan } = useWords();
  const [brand, setBrand] = useState<Brand>(room.branding);
  const set = (change: Partial<Brand>) => setBrand({ ...brand, ...change });
  const next = tidy(brand);
  const link = brand.link ?? { href: "", text: "" };
  return (
    <Card title={plan.branding}>
      <div class="branding">
        <form
          class="stack"
          onSubmit={(submit) => {
            submit.preventDefault();
            onPatch({ branding: next });
          }}
        >
          <TextField
            label={plan.brandName}
            value={brand.name ?? ""}
            onValue={(name) => set({ name })}
            maxLength={120}
          />
          <TextField
            label={plan.venue}
            value={brand.venue ?? ""}
            onValue={(venue) => set({ venue })}
            maxLength={120}
          />
          <TextField
            label={plan.accent}
            type="color"
            value={brand.accent ?? "#0b5d49"}
            onValue={(accent) => set({ accent })}
          />
          <LogoField
            logo={brand.logo}
            onLogo={(logo) => setBrand(logo === undefined ? without(brand) : { ...brand, logo })}
          />
          <TextField
            label={plan.linkText}
            value={link.text}
            onValue={(text) => set({ link: { ...link, text } })}
            maxLength={60}
          />
          <TextField
            label={plan.linkHref}
            type="url"
            value={link.href}
            onValue={(href) => set({ link: { ...link, href } })}
            pattern="https://.*"
            maxLength={300}
          />
          <button
            type="submit"
            disabled={JSON.stringify(next) === JSON.stringify(tidy(room.branding))}
          >
            {plan.saveRoom}
          </button>
        </form>
        <BrandingPreview brand={next} event={event} />
      </div>
    </Card>
  );
}
