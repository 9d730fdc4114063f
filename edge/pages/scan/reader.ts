/** Codes out of camera pictures: the browser's own detector where it has one, else a small library. */

export type Reader = { read(video: HTMLVideoElement): Promise<string | undefined> };

type Detector = { detect(source: CanvasImageSource): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

const isDetectorClass = (value: unknown): value is DetectorClass =>
  typeof value === "function" && "getSupportedFormats" in value;

async function makeDetector(): Promise<Detector | undefined> {
  const found: unknown = Reflect.get(globalThis, "BarcodeDetector");
  if (!isDetectorClass(found)) return undefined;
  try {
    const formats = await found.getSupportedFormats();
    return formats.includes("qr_code") ? new found({ formats: ["qr_code"] }) : undefined;
  } catch {
    // Some browsers have the class and no engine behind it.
    return undefined;
  }
}

/** The middle of the picture is enough, and a small one is read faster than a large one. */
const SIDE_MAX = 640;
const FRAME_MS = 40;

async function makeLibraryReader(): Promise<Reader> {
  const { default: decode } = await import("qr/decode.js");
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  return {
    async read(video) {
      const { videoWidth: width, videoHeight: height } = video;
      const side = Math.min(width, height);
      if (side === 0 || pen === null) return undefined;
      const drawn = Math.min(side, SIDE_MAX);
      canvas.width = drawn;
      canvas.height = drawn;
      const [left, top] = [(width - side) / 2, (height - side) / 2];
      pen.drawImage(video, left, top, side, side, 0, 0, drawn, drawn);
      try {
        return decode(pen.getImageData(0, 0, drawn, drawn), { timeLimit: FRAME_MS });
      } catch {
        return undefined;
      }
    },
  };
}

export async function makeReader(): Promise<Reader> {
  const detector = await makeDetector();
  if (detector === undefined) return makeLibraryReader();
  return {
    async read(video) {
      if (video.videoWidth === 0) return undefined;
      const [first] = await detector.detect(video).catch(() => []);
      return first?.rawValue;
    },
  };
}
