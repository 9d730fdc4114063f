import { useEffect, useRef, useState } from "preact/hooks";
import { type Door, type DoorState, forgetKey, makeDoor, restoreDoor, startDoor } from "./door.ts";
import { keepUp } from "./keep-up.ts";
import { Post } from "./post.tsx";
import { makeReader } from "./reader.ts";
import { Setup } from "./setup.tsx";
import { keepShell } from "./shell.ts";
import { wakeSound } from "./signal.ts";
import { useWords } from "./words.ts";

/** A phone at a door: first its key and its name, then one ticket after the other. */
export function ScanApp({ event, shownKey }: { event: string; shownKey: string | undefined }) {
  const { texts } = useWords();
  const door = useRef<Door>(undefined);
  const [state, setState] = useState<DoorState>();
  useEffect(() => {
    const made = makeDoor(event, setState);
    door.current = made;
    // What reads codes is fetched now, so that the kept page has it.
    void restoreDoor(made, shownKey).then(makeReader).then(keepShell);
  }, [event]);
  const view = state?.view;
  useEffect(() => {
    const { current } = door;
    document.body.classList.toggle("scanning", view === "scan");
    return view === "scan" && current ? keepUp(current) : undefined;
  }, [view]);
  useEffect(() => {
    document.title = `${texts.title} · ${state?.name ?? "Sıra"}`;
  }, [state?.name, texts]);
  const { current } = door;
  if (!state || !current) return null;
  if (state.view === "scan") return <Post door={current} state={state} />;
  return (
    <Setup
      state={state}
      onForget={() => void forgetKey(current)}
      onStart={(setup) => {
        wakeSound();
        void startDoor(current, setup);
      }}
    />
  );
}
