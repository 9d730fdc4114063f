import { useState } from "preact/hooks";
import { isLanguage, LANGUAGES, type Language } from "../../kit/i18n.ts";
import type { RoomView } from "../calls/room.ts";
import { AreaField, ChoiceField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

type Texts = NonNullable<RoomView["branding"]["texts"]>;
const WORDS = ["welcome", "soldOut", "closed"] as const;
const CHARS_MAX = 300;

/** The organizer's own sentences, in each language of the queue page. */
export function BrandTexts(props: { own: Texts; onOwn: (own: Texts) => void }) {
  const { plan, texts, language } = useWords();
  const [speaks, setSpeaks] = useState<Language>(language);
  const { own, onOwn } = props;
  const said = own[speaks] ?? {};
  return (
    <fieldset class="own-words">
      <legend>{plan.ownWords}</legend>
      <ChoiceField
        label={texts.language}
        value={speaks}
        options={Object.entries(LANGUAGES).map(([code, name]) => [code, name] as const)}
        onValue={(code) => isLanguage(code) && setSpeaks(code)}
      />
      {WORDS.map((word) => (
        <AreaField
          key={`${speaks}${word}`}
          label={plan.ownWordsAt[word]}
          value={said[word] ?? ""}
          onValue={(text) => onOwn({ ...own, [speaks]: { ...said, [word]: text } })}
          maxLength={CHARS_MAX}
        />
      ))}
    </fieldset>
  );
}
