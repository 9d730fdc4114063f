import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { makeReader } from "./reader.ts";

export type Camera = {
  state: "starting" | "on" | "refused" | "none";
  torch?: boolean;
  setTorch: (on: boolean) => void;
};

/** Between two looks: a phone must last the evening. */
const LOOK_MS = 90;
/** The same code held in view is one scan; taken away this long, it is another. */
const AWAY_MS = 2_500;

/** Phones have it, the library of types does not know it. */
function hasTorch(track: MediaStreamTrack): boolean {
  const known: unknown = track.getCapabilities?.();
  return typeof known === "object" && known !== null && Reflect.get(known, "torch") === true;
}

function stopStream(stream: MediaStream): void {
  for (const each of stream.getTracks()) each.stop();
}

async function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

/** Looks at the video until it is told to stop, and tells each code once while it stays in view. */
async function watch(
  video: HTMLVideoElement,
  onCode: (code: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const reader = await makeReader();
  let last = "";
  let seenAt = 0;
  while (!signal.aborted) {
    const code = document.hidden ? undefined : await reader.read(video);
    const now = performance.now();
    if (code !== undefined) {
      const isNew = code !== last || now - seenAt > AWAY_MS;
      last = code;
      if (isNew) await onCode(code);
      seenAt = performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** A screen that goes dark between two people costs each of them a press. */
async function stayAwake(): Promise<void> {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // Refused while the battery is low.
  }
}

export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  onCode: (code: string) => Promise<unknown>,
): Camera {
  const [state, setState] = useState<Camera["state"]>("starting");
  const [torch, showTorch] = useState<boolean>();
  const track = useRef<MediaStreamTrack>(undefined);

  useEffect(() => {
    const stopping = new AbortController();
    let stream: MediaStream | undefined;
    const start = async () => {
      const element = video.current;
      if (!element) return;
      if (!navigator.mediaDevices) return setState("none");
      try {
        stream = await openCamera();
      } catch (error) {
        const isRefused = error instanceof DOMException && error.name === "NotAllowedError";
        return setState(isRefused ? "refused" : "none");
      }
      if (stopping.signal.aborted) return stopStream(stream);
      const [first] = stream.getVideoTracks();
      track.current = first;
      if (first && hasTorch(first)) showTorch(false);
      element.srcObject = stream;
      await element.play().catch(() => undefined);
      setState("on");
      void stayAwake();
      await watch(element, onCode, stopping.signal);
    };
    void start();
    const back = () => {
      if (!document.hidden) void stayAwake();
    };
    document.addEventListener("visibilitychange", back);
    return () => {
      stopping.abort();
      document.removeEventListener("visibilitychange", back);
      if (stream) stopStream(stream);
    };
  }, []);

  const setTorch = (on: boolean) => {
    const constraint: MediaTrackConstraintSet & { torch?: boolean } = { torch: on };
    void track.current
      ?.applyConstraints({ advanced: [constraint] })
      .then(() => showTorch(on))
      .catch(() => undefined);
  };
  return { state, setTorch, ...(torch === undefined ? {} : { torch }) };
}
