import { useEffect, useRef, useState } from "preact/hooks";
import type { SeatMap } from "../../../../shared/contract/events.ts";
import { serverNow } from "../../kit/clock.ts";
import { fill } from "../../kit/i18n.ts";
import { readSeats } from "../calls/sale.ts";
import { usePoll } from "../parts/use-poll.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";
import { Figure } from "./figure.tsx";
import { countHouse, layHouse, paintHouse } from "./house-paint.ts";

const LOOK_MS = 1_000;

/** The house from above: every seat a square, dark where it is sold. */
export function HouseMap({ event }: { event: string }) {
  const { texts, format } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [house, setHouse] = useState<SeatMap>();
  const [now, setNow] = useState(0);
  usePoll(
    async () => {
      const reply = await readSeats(event);
      if (reply.kind === "ok") setHouse(reply.data);
      setNow(serverNow());
    },
    LOOK_MS,
    [event],
  );
  useEffect(() => {
    const { current: element } = canvas;
    if (!element || !house) return;
    const draw = () => paintHouse(element, house);
    draw();
    const resize = new ResizeObserver(draw);
    if (element.parentElement) resize.observe(element.parentElement);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      resize.disconnect();
      dark.removeEventListener("change", draw);
    };
  }, [house]);
  if (house === undefined || layHouse(house, 1).seats === 0) return null;
  const counts = countHouse(house);
  return (
    <section class="card house-map">
      <header class="card-head">
        <h2>{texts.house}</h2>
        <Age at={house.at} now={now} />
      </header>
      <div class="house-box">
        <canvas
          ref={canvas}
          role="img"
          aria-label={fill(texts.houseSays, {
            sold: format.number(counts.s),
            held: format.number(counts.h),
            free: format.number(counts.a),
          })}
        />
      </div>
      <ul class="key">
        {(["s", "h", "a", "b"] as const).map((letter) => (
          <li key={letter}>
            <i class={`seat-${letter}`} />{" "}
            <b>
              <Figure name={`seats.${letter}`} value={counts[letter]}>
                {format.number(counts[letter])}
              </Figure>
            </b>{" "}
            {texts.seatStates[letter]}
          </li>
        ))}
      </ul>
    </section>
  );
}
