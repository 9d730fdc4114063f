import { useEffect, useMemo, useState } from "preact/hooks";
import { dropTaken, nearBy, toggleSeat } from "../house/choice.ts";
import { findSeat, type House, type Seat } from "../house/house.ts";
import type { HoldTrouble } from "../visit.ts";

/** The fan's choice on the plan and in the list, and what becomes of it while others choose too. */

type Input = {
  house: House;
  perOrder: number;
  /** While our own hold is on its way, its seats look taken, and are ours. */
  busy: boolean;
  trouble: HoldTrouble | undefined;
  onForget: () => void;
};

const findAll = (house: House, ids: readonly string[]): Seat[] =>
  ids.map((id) => findSeat(house, id)).filter((seat) => seat !== undefined);

export function useChoice({ house, perOrder, busy, trouble, onForget }: Input) {
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [limited, setLimited] = useState(false);
  const [taken, setTaken] = useState<readonly string[]>([]);
  const { choice, taken: gone } = busy ? { choice: picked, taken: [] } : dropTaken(picked, house);
  useEffect(() => {
    if (gone.length === 0) return;
    setTaken(gone.map(({ id }) => id));
    setPicked(choice);
  });
  const chosen = useMemo(
    () => new Map(findAll(house, choice).map((seat) => [seat.id, seat])),
    [house, choice],
  );
  const refused = trouble?.unavailable ?? [];
  const lost = useMemo(
    () => findAll(house, refused.length > 0 ? refused : taken),
    [house, refused, taken],
  );
  /** The core has looked for the whole wish; the page only knows what has gone from the choice. */
  const groups = useMemo(
    () =>
      trouble && trouble.alternatives.length > 0
        ? trouble.alternatives
        : nearBy(house, lost, lost.length),
    [house, lost, trouble],
  );
  const offered = useMemo(() => findAll(house, groups.flat()), [house, groups]);
  const isWhole = refused.length > 0 && groups === trouble?.alternatives;
  return {
    choice,
    chosen,
    limited,
    lost,
    groups,
    offered,
    /** Whether a group stands for all that was wished, or only for what was lost of it. */
    isWhole,
    toggle(seat: Seat) {
      const next = toggleSeat(choice, seat, perOrder);
      setLimited(next.refused === "limit");
      setPicked(next.choice);
      if (next.refused !== undefined) return;
      setTaken([]);
      onForget();
    },
    take(seats: readonly string[]) {
      setPicked([...choice.filter((id) => !seats.includes(id)), ...seats].slice(0, perOrder));
      setTaken([]);
      onForget();
    },
    clear() {
      setPicked([]);
      setTaken([]);
      setLimited(false);
    },
  };
}
