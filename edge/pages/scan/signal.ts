/** A verdict that is heard and felt: whoever scans looks at people, not at a phone. */

let audio: AudioContext | undefined;

/** Sound needs a press first; starting the door is one. */
export function wakeSound(): void {
  try {
    audio ??= new AudioContext();
    void audio.resume();
  } catch {
    // A phone without sound still shows and shakes.
  }
}

function tone(at: number, hertz: number, seconds: number): void {
  if (!audio) return;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.frequency.value = hertz;
  source.type = hertz < 400 ? "square" : "sine";
  volume.gain.setValueAtTime(0.25, audio.currentTime + at);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + seconds);
  source.connect(volume).connect(audio.destination);
  source.start(audio.currentTime + at);
  source.stop(audio.currentTime + at + seconds);
}

/** High and short for yes, low and twice for no: told apart also without hearing well. */
export function signal(admits: boolean): void {
  if (admits) tone(0, 880, 0.18);
  else {
    tone(0, 220, 0.25);
    tone(0.32, 220, 0.35);
  }
  try {
    navigator.vibrate?.(admits ? 80 : [200, 100, 200]);
  } catch {
    // Forbidden in some frames.
  }
}
