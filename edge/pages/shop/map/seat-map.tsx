import { useEffect, useRef, useState } from "preact/hooks";
import { type House, type Seat, type Section, seatAt, sectionAt } from "../house/house.ts";
import { firstSeat, neighbour } from "../house/walk.ts";
import { useWords } from "../words.ts";
import { listenGestures } from "./gestures.ts";
import { watchColours } from "./palette.ts";
import type { Scene } from "./scene.ts";
import { createView, PICK_SCALE, type View } from "./view.ts";

type Props = Omit<Scene, "cursor" | "stageLabel"> & {
  describe: (seat: Seat) => string;
  onToggle: (seat: Seat) => void;
  /** The block in the middle of the screen, once seats can be told apart. */
  onLook: (section: Section | undefined) => void;
};

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const LOOK_MS = 600;
const LOOK_SCALE = 6;
const ZOOM_STEP = 1.6;

/** A finger far away from the seats comes nearer; near by it takes the seat that it is on. */
function tap(view: View, px: number, py: number, onToggle: (seat: Seat) => void): void {
  const at = view.planAt(px, py);
  const camera = view.camera();
  if (!at || !camera) return;
  const seat = seatAt(view.house(), at.x, at.y);
  if (camera.scale >= PICK_SCALE) {
    if (seat) onToggle(seat);
  } else view.approach(at.x, at.y);
}

function useView(latest: { current: { scene: Scene; props: Props } }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<View | undefined>(undefined);
  useEffect(() => {
    const { current: element } = canvas;
    if (!element) return;
    // Arrow keys walk from seat to seat here, so screen readers must pass them on.
    element.setAttribute("role", "application");
    const made = createView(element, latest.current.scene);
    view.current = made;
    const resize = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      made.resize({ width, height }, devicePixelRatio);
    });
    resize.observe(element);
    const stopColours = watchColours(made.recolour);
    const stopGestures = listenGestures(element, {
      onTouch: made.stopMotion,
      onPan: made.pan,
      onZoom: made.zoom,
      onRelease: made.throw,
      onTap: (px, py) => tap(made, px, py, (seat) => latest.current.props.onToggle(seat)),
    });
    let seen: string | undefined;
    const looking = setInterval(() => {
      const { x, y } = made.middle() ?? { x: 0, y: 0 };
      const isNear = (made.camera()?.scale ?? 0) >= LOOK_SCALE;
      const section = isNear ? sectionAt(made.house(), x, y) : undefined;
      if (section?.id === seen) return;
      seen = section?.id;
      latest.current.props.onLook(section);
    }, LOOK_MS);
    return () => {
      clearInterval(looking);
      resize.disconnect();
      stopColours();
      stopGestures();
      made.stop();
    };
  }, []);
  return { canvas, view };
}

/** The plan: pan, pinch, wheel, tap; arrows, Enter, plus and minus. The list beside it says the same. */
export function SeatMapView(props: Props) {
  const { texts } = useWords();
  const [cursor, setCursor] = useState<Seat>();
  const scene: Scene = { ...props, cursor, stageLabel: texts.stage };
  const latest = useRef({ scene, props });
  latest.current = { scene, props };
  const { canvas, view } = useView(latest);
  useEffect(() => view.current?.update(scene));
  const [lost] = props.lost;
  useEffect(() => {
    if (lost) view.current?.reveal(lost);
  }, [lost?.id]);

  const walk = (house: House, dx: number, dy: number) => {
    const next = cursor ? neighbour(house, cursor, dx, dy) : firstSeat(house);
    if (!next) return;
    setCursor(next);
    view.current?.approach(next.x, next.y);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEYS[event.key];
    if (step) {
      event.preventDefault();
      walk(props.house, ...step);
    } else if ((event.key === "Enter" || event.key === " ") && cursor) {
      event.preventDefault();
      const seat = seatAt(props.house, cursor.x, cursor.y);
      if (seat) props.onToggle(seat);
    } else if (event.key === "+" || event.key === "=") view.current?.zoomMiddle(ZOOM_STEP);
    else if (event.key === "-") view.current?.zoomMiddle(1 / ZOOM_STEP);
    else if (event.key === "0") view.current?.showAll();
  };
  const here = cursor ? seatAt(props.house, cursor.x, cursor.y) : undefined;
  const zoomed = (label: string, sign: string, act: (view: View) => void) => (
    <button
      type="button"
      class="quiet"
      aria-label={label}
      onClick={() => view.current && act(view.current)}
    >
      {sign}
    </button>
  );
  return (
    <div class="map">
      <canvas
        ref={canvas}
        tabIndex={0}
        aria-label={texts.mapLabel}
        aria-describedby="map-help"
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(undefined)}
      />
      <p id="map-help" class="sr">
        {texts.mapHelp}
      </p>
      <p class="sr" role="status">
        {here ? props.describe(here) : ""}
      </p>
      <div class="zoom">
        {zoomed(texts.zoomIn, "+", (made) => made.zoomMiddle(ZOOM_STEP))}
        {zoomed(texts.zoomOut, "−", (made) => made.zoomMiddle(1 / ZOOM_STEP))}
        {zoomed(texts.zoomFit, "⤢", (made) => made.showAll())}
      </div>
    </div>
  );
}
