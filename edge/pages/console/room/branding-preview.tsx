import { useEffect, useRef, useState } from "preact/hooks";
import { isLanguage, LANGUAGES } from "../../kit/i18n.ts";
import type { RoomView } from "../calls/room.ts";
import { ChoiceField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

const STATES = ["pool", "waiting", "near", "paused", "sold_out", "closed"] as const;
type State = (typeof STATES)[number];

/** The queue page itself in small, in any of its states and languages, with looks not yet saved. */
export function BrandingPreview({ brand }: { brand: RoomView["branding"] }) {
  const { plan, texts, language } = useWords();
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<State>("waiting");
  const [speaks, setSpeaks] = useState(language);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent) => {
      const isOurs = origin === location.origin && source === frame.current?.contentWindow;
      if (isOurs && data?.preview === "ready") setReady(true);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, []);
  useEffect(() => {
    if (isReady) frame.current?.contentWindow?.postMessage({ branding: brand }, location.origin);
  }, [isReady, JSON.stringify(brand), state, speaks]);
  return (
    <div class="queue-preview">
      <div class="grid">
        <ChoiceField
          label={plan.shownAs}
          value={state}
          options={STATES.map((each) => [each, plan.shownStates[each]] as const)}
          onValue={setState}
        />
        <ChoiceField
          label={texts.language}
          value={speaks}
          options={Object.entries(LANGUAGES)}
          onValue={(code) => isLanguage(code) && setSpeaks(code)}
        />
      </div>
      <iframe
        ref={frame}
        title={plan.preview}
        src={`/preview?bare#state=${state}&language=${speaks}`}
        width="390"
        height="720"
      />
    </div>
  );
}
