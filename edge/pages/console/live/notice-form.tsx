import { useEffect, useState } from "preact/hooks";
import { AreaField } from "../parts/field.tsx";
import { useWords } from "../words.tsx";

type Props = { notice: string; busy: boolean; onPublish: (notice: string) => void };

export function NoticeForm({ notice, busy, onPublish }: Props) {
  const { texts } = useWords();
  const [text, setText] = useState(notice);
  useEffect(() => setText(notice), [notice]);
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        onPublish(text);
      }}
    >
      <AreaField
        label={texts.notice}
        hint={texts.noticeHint}
        maxLength={500}
        value={text}
        onValue={setText}
      />
      <button type="submit" disabled={busy || text === notice}>
        {texts.publish}
      </button>
    </form>
  );
}
