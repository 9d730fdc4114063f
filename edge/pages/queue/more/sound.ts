/** Three rising tones from the browser's own synthesizer: no file to fetch when it matters. */

const TONES_HZ = [660, 880, 1_175] as const;
const TONE_S = 0.28;
const LOUDNESS = 0.35;

let context: AudioContext | undefined;

/** Browsers let a page sound only after a press on it: call this from one. */
export async function unlockSound(): Promise<boolean> {
  try {
    context ??= new AudioContext();
    await context.resume();
    return context.state === "running";
  } catch {
    return false;
  }
}

export const canSound = (): boolean => context?.state === "running";

export function ringSound(times = 1): void {
  if (context?.state !== "running") return;
  let at = context.currentTime + 0.05;
  for (let round = 0; round < times; round += 1) {
    for (const tone of TONES_HZ) {
      const oscillator = context.createOscillator();
      const gain = context.createGain();
      oscillator.frequency.value = tone;
      gain.gain.setValueAtTime(0, at);
      gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.03);
      gain.gain.linearRampToValueAtTime(0, at + TONE_S);
      oscillator.connect(gain).connect(context.destination);
      oscillator.start(at);
      oscillator.stop(at + TONE_S);
      at += TONE_S;
    }
    at += TONE_S;
  }
}
