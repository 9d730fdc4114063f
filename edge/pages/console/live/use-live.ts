import { useRef, useState } from "preact/hooks";
import type { SaleFigures, SaleHistory } from "../../../../shared/contract/sales.ts";
import type { Reply } from "../../kit/api.ts";
import { learnTime, serverNow } from "../../kit/clock.ts";
import {
  type Figures,
  type LogEntry,
  type Moment,
  type RoomView,
  readFigures,
  readRoom,
  readRoomLog,
} from "../calls/room.ts";
import { readHistory, readSale } from "../calls/sale.ts";
import type { Session } from "../calls/session.ts";
import { usePoll } from "../parts/use-poll.ts";
import { mergeMoments } from "./history.ts";

const LOOK_MS = 1_000;
/** Settings change by hand. */
const SLOW_LOOKS = 4;
const SECONDS_MAX = 3_600;
const MINUTES_MAX = 20_160;

export type Watched = {
  room: RoomView | undefined;
  /** There is no room at the gate yet. */
  isMissing: boolean;
  figures: Figures | undefined;
  sale: SaleFigures | undefined;
  seconds: readonly Moment[];
  minutes: readonly Moment[];
  sales: SaleHistory["minutes"];
  lastAct: LogEntry | undefined;
  /** By the server's clock; each look makes it newer, so ages are drawn with it. */
  now: number;
};

const NOTHING: Watched = {
  room: undefined,
  isMissing: false,
  figures: undefined,
  sale: undefined,
  seconds: [],
  minutes: [],
  sales: [],
  lastAct: undefined,
  now: 0,
};

const dataOf = <T>(reply: Reply<T> | undefined): T | undefined =>
  reply?.kind === "ok" ? reply.data : undefined;

/** Everything that the desk shows of one event, each second. What failed to come stays as it was. */
export function useLive(
  session: Session,
  event: string,
  onSignedOut: () => void,
): { watched: Watched; lookAgain: () => Promise<void> } {
  const [watched, setWatched] = useState(NOTHING);
  // A look that began before the last one's state was drawn must know it, too.
  const known = useRef(NOTHING);
  const look = async (turn: number) => {
    const isSlow = turn % SLOW_LOOKS === 0;
    const since = known.current.seconds.at(-1)?.at ?? 0;
    const [live, sale, room, log, sales] = await Promise.all([
      readFigures(session, event, since),
      readSale(session, event),
      isSlow ? readRoom(session, event) : undefined,
      isSlow ? readRoomLog(session, event) : undefined,
      readHistory(session, event),
    ]);
    if (live.kind === "problem" && live.status === 401) return onSignedOut();
    if (live.kind === "ok") learnTime(live.data.at);
    const before = known.current;
    const figures = dataOf(live);
    const next: Watched = {
      ...before,
      now: serverNow(),
      sale: dataOf(sale) ?? before.sale,
      room: dataOf(room) ?? before.room,
      sales: dataOf(sales)?.minutes ?? before.sales,
      lastAct: dataOf(log)?.entries[0] ?? before.lastAct,
      ...(room === undefined ? {} : { isMissing: room.kind === "problem" && room.status === 404 }),
      ...(figures === undefined
        ? {}
        : {
            figures,
            seconds: mergeMoments(before.seconds, figures.history.perSecond, {
              unitMs: 1_000,
              max: SECONDS_MAX,
            }),
            minutes: mergeMoments(before.minutes, figures.history.perMinute, {
              unitMs: 60_000,
              max: MINUTES_MAX,
            }),
          }),
    };
    known.current = next;
    setWatched(next);
  };
  usePoll(look, LOOK_MS, [event, session]);
  return { watched, lookAgain: () => look(0) };
}
