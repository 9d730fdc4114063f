import { useEffect, useRef, useState } from "preact/hooks";
import { type House, neighbour, type Seat, seatAt } from "../house/house.ts";
import { useWords } from "../words.tsx";
import {
  type Camera,
  clampCamera,
  fitCamera,
  type Size,
  TAP_SCALE,
  toPlan,
  zoomAt,
} from "./camera.ts";
import { listenGestures } from "./gestures.ts";
import { type Palette, paintHouse, type Scene } from "./paint.ts";

type Props = {
  house: House;
  zoneIndex: ReadonlyMap<string, number>;
  chosen: ReadonlySet<string>;
  taken: ReadonlySet<string>;
  describe: (seat: Seat) => string;
  onToggle: (seat: Seat) => void;
};

function readPalette(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    zones: Array.from({ length: 8 }, (_, i) => of(`--zone-${i}`)),
    surface: of("--surface"),
    ink: of("--ink"),
    muted: of("--muted"),
    line: of("--line"),
    lamp: of("--lamp"),
    onZone: of("--on-zone"),
    font: style.fontFamily,
  };
}

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The plan: pan, pinch, wheel, tap; arrows, Enter, plus and minus. The list beside it says the same. */
export function SeatMapView(props: Props) {
  const words = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const state = useRef<{
    camera?: Camera;
    screen: Size;
    frame: number;
    pictures: Map<string, HTMLCanvasElement>;
    version?: number;
  }>({
    screen: { width: 0, height: 0 },
    frame: 0,
    pictures: new Map(),
  });
  const latest = useRef(props);
  latest.current = props;
  const [cursor, setCursor] = useState<Seat>();
  const cursorRef = useRef<Seat | undefined>(undefined);
  cursorRef.current = cursor;

  const paint = useRef(() => {});
  paint.current = () => {
    const { current: element } = canvas;
    const to = element?.getContext("2d");
    const { camera, screen, pictures } = state.current;
    if (!element || !to || !camera) return;
    const { house, zoneIndex, chosen, taken } = latest.current;
    if (state.current.version !== house.version) {
      pictures.clear();
      state.current.version = house.version;
    }
    const palette = readPalette(element);
    const scene: Scene = {
      house,
      camera,
      screen,
      palette,
      zoneIndex,
      chosen,
      taken,
      cursor: cursorRef.current,
      stageLabel: words.texts.stage,
      pictures,
    };
    paintHouse(to, scene, devicePixelRatio);
  };
  const repaint = () => {
    cancelAnimationFrame(state.current.frame);
    state.current.frame = requestAnimationFrame(() => paint.current());
  };
  const move = (change: (camera: Camera) => Camera) => {
    const { camera, screen } = state.current;
    if (camera) state.current.camera = clampCamera(change(camera), latest.current.house, screen);
    repaint();
  };
  const zoomMiddle = (factor: number) => {
    const { screen } = state.current;
    move((camera) =>
      zoomAt(camera, screen, { px: screen.width / 2, py: screen.height / 2 }, factor),
    );
  };
  const showAll = () => move(() => fitCamera(latest.current.house, state.current.screen));

  useEffect(() => {
    const { current: element } = canvas;
    if (!element) return;
    // Arrow keys walk from seat to seat here, so screen readers must pass them on.
    element.setAttribute("role", "application");
    const resize = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      element.width = Math.round(width * devicePixelRatio);
      element.height = Math.round(height * devicePixelRatio);
      state.current.screen = { width, height };
      state.current.camera ??= fitCamera(latest.current.house, { width, height });
      move((camera) => camera);
    });
    resize.observe(element);
    const stop = listenGestures(element, {
      onPan: (dx, dy) =>
        move((camera) => ({
          ...camera,
          x: camera.x - dx / camera.scale,
          y: camera.y - dy / camera.scale,
        })),
      onZoom: (at, factor) => move((camera) => zoomAt(camera, state.current.screen, at, factor)),
      onTap: (px, py) => {
        const { camera, screen } = state.current;
        if (!camera) return;
        // Too far away to mean one seat: come nearer first.
        if (camera.scale < TAP_SCALE * 0.7) {
          move((now) => zoomAt(now, screen, { px, py }, (TAP_SCALE * 1.15) / now.scale));
          return;
        }
        const { x, y } = toPlan(camera, screen, px, py);
        const seat = seatAt(latest.current.house, x, y);
        if (seat) latest.current.onToggle(seat);
      },
    });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const recolour = () => {
      state.current.pictures.clear();
      repaint();
    };
    scheme.addEventListener("change", recolour);
    return () => {
      resize.disconnect();
      stop();
      scheme.removeEventListener("change", recolour);
    };
  }, []);
  useEffect(repaint);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEYS[event.key];
    const { house } = props;
    if (step) {
      event.preventDefault();
      const next = cursor ? neighbour(house, cursor, ...step) : house.sections[0]?.seats[0];
      if (!next) return;
      setCursor(next);
      move((camera) => ({ x: next.x, y: next.y, scale: Math.max(camera.scale, TAP_SCALE) }));
    } else if ((event.key === "Enter" || event.key === " ") && cursor) {
      event.preventDefault();
      const seat = house.byId.get(cursor.id);
      if (seat) props.onToggle(seat);
    } else if (event.key === "+" || event.key === "=") zoomMiddle(1.5);
    else if (event.key === "-") zoomMiddle(1 / 1.5);
    else if (event.key === "0") showAll();
  };

  const here = cursor ? props.house.byId.get(cursor.id) : undefined;
  return (
    <div class="map">
      <canvas
        ref={canvas}
        tabIndex={0}
        aria-label={words.texts.mapLabel}
        aria-describedby="map-help"
        onKeyDown={onKeyDown}
      />
      <p id="map-help" class="sr">
        {words.texts.mapHelp}
      </p>
      <p class="sr" role="status">
        {here ? props.describe(here) : ""}
      </p>
      <div class="zoom">
        <button
          type="button"
          class="quiet"
          aria-label={words.texts.zoomIn}
          onClick={() => zoomMiddle(1.6)}
        >
          +
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={words.texts.zoomOut}
          onClick={() => zoomMiddle(1 / 1.6)}
        >
          −
        </button>
        <button type="button" class="quiet" aria-label={words.texts.zoomFit} onClick={showAll}>
          ⤢
        </button>
      </div>
    </div>
  );
}
