import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { serverNow } from "../kit/clock.ts";
import { fill } from "../kit/i18n.ts";
import { ByHand } from "./by-hand.tsx";
import { scanCode } from "./check-code.ts";
import type { Door, DoorState } from "./door.ts";
import { isOld } from "./judge.ts";
import { signal } from "./signal.ts";
import { useCamera } from "./use-camera.ts";
import { VerdictCard } from "./verdict-card.tsx";
import { useWords } from "./words.ts";
import { Words } from "./words-list.tsx";

const AGE_MS = 10_000;
/** Younger than this a list is simply up to date. */
const FRESH_MS = 90_000;

function useNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How much the answers here are worth: who decides, and how old what it knows is. */
function Reach({ state }: { state: DoorState }) {
  const { texts, format } = useWords();
  const now = Math.max(useNow(AGE_MS), serverNow());
  const age = state.listAt === undefined ? 0 : Math.max(0, now - state.listAt);
  const list =
    state.reach === "online" && age < FRESH_MS
      ? texts.listNow
      : fill(texts.list, { age: format.duration(age) });
  return (
    <div class={`reach ${state.reach} ${isOld(age) ? "old" : ""}`} role="status">
      <p>
        <i aria-hidden="true" />
        {state.reach === "online" ? texts.online : texts.offline}
      </p>
      <p>{list}</p>
    </div>
  );
}

/** One ticket after the other. */
export function Post({ door, state }: { door: Door; state: DoorState }) {
  const { texts, problems, format } = useWords();
  const video = useRef<HTMLVideoElement>(null);
  const check = useCallback(async (code: string) => {
    const { result } = await scanCode(door, code);
    signal(result === "admitted");
  }, []);
  const camera = useCamera(video, check);
  const sayCamera = {
    starting: texts.cameraStarting,
    on: texts.aim,
    refused: texts.cameraRefused,
    none: texts.cameraNone,
  }[camera.state];
  return (
    <div class="post">
      <div class="post-head">
        <div>
          <h1>{state.name}</h1>
          <p class="muted">{state.gate}</p>
        </div>
        <Reach state={state} />
      </div>
      {state.trouble === undefined || state.trouble === "network" ? null : (
        <p class="notice" role="alert">
          {problems[state.trouble]}
        </p>
      )}
      <div class={`finder ${camera.state}`}>
        <video ref={video} muted playsInline />
        <span class="aim" aria-hidden="true" />
        <p>{sayCamera}</p>
        {camera.torch === undefined ? null : (
          <button
            type="button"
            class="torch"
            aria-pressed={camera.torch}
            onClick={() => camera.setTorch(camera.torch !== true)}
          >
            {camera.torch ? texts.torchOff : texts.torchOn}
          </button>
        )}
      </div>
      <div class="post-side">
        <VerdictCard verdict={state.verdict} count={state.count} />
        <p class="tally">
          <b>{format.plural(texts.admittedHere, state.admitted)}</b>
          {state.waiting > 0 ? <span>{format.plural(texts.waiting, state.waiting)}</span> : null}
        </p>
        <Words words={state.words} onClear={() => door.tell({ words: [] })} />
        <ByHand onCode={check} isOpen={camera.state === "none" || camera.state === "refused"} />
        {state.hasKey ? null : <p class="muted">{texts.strongKey}</p>}
        <button
          type="button"
          class="quiet"
          onClick={() => door.tell({ view: "setup", verdict: undefined })}
        >
          {texts.stop}
        </button>
      </div>
    </div>
  );
}
