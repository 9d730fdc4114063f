import { useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import type { RoomPatch } from "../../../../shared/contract/rooms.ts";
import type { RoomView } from "../calls/room.ts";
import { Card, Check, TextField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import { type Brand, linksOf, tidyBrand, timedBrand } from "./brand.ts";
import { BrandLinks } from "./brand-links.tsx";
import { BrandTexts } from "./brand-texts.tsx";
import { BrandingPreview } from "./branding-preview.tsx";
import { LogoField } from "./logo-field.tsx";

type Props = { room: RoomView; event: EventView; onPatch: (patch: RoomPatch) => void };

const without = ({ logo: _, ...rest }: Brand): Brand => rest;

/** How the queue page looks, and how it will look. */
export function Branding({ room, event, onPatch }: Props) {
  const { plan } = useWords();
  const [brand, setBrand] = useState<Brand>(() => {
    const { link: _, ...rest } = room.branding;
    return { ...rest, links: linksOf(room.branding) };
  });
  const set = (change: Partial<Brand>) => setBrand({ ...brand, ...change });
  const next = tidyBrand(brand);
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
          <Check
            label={plan.sayTime}
            value={brand.startsAt !== undefined}
            onValue={(says) => setBrand(timedBrand(brand, says ? event : undefined))}
          />
          <div class="colours">
            <TextField
              label={plan.accent}
              type="color"
              value={brand.accent ?? "#0b5d49"}
              onValue={(accent) => set({ accent })}
            />
            <TextField
              label={plan.paper}
              type="color"
              value={brand.paper ?? "#c9ebdc"}
              onValue={(paper) => set({ paper })}
            />
          </div>
          <LogoField
            logo={brand.logo}
            onLogo={(logo) => setBrand(logo === undefined ? without(brand) : { ...brand, logo })}
          />
          <BrandLinks links={brand.links ?? []} onLinks={(links) => set({ links })} />
          <BrandTexts own={brand.texts ?? {}} onOwn={(texts) => set({ texts })} />
          <button
            type="submit"
            disabled={JSON.stringify(next) === JSON.stringify(tidyBrand(room.branding))}
          >
            {plan.saveRoom}
          </button>
        </form>
        <BrandingPreview brand={{ name: event.name, venue: event.venue, ...next }} />
      </div>
    </Card>
  );
}
