import { useEffect, useMemo, useState } from "preact/hooks";
import type { OrderView } from "../../../shared/contract/orders.ts";
import { decidePayment } from "./attempt.ts";
import {
  type Desk,
  type DeskState,
  lookAtOrder,
  makeDesk,
  nextLookMs,
  openDesk,
  resumeAttempt,
} from "./desk.ts";
import { listenToOrder } from "./listen.ts";

/** Opens the order's desk and keeps it fresh: whatever is under way resolves by itself. */
export function useDesk(id: string): { desk: Desk; state: DeskState } {
  const [state, setState] = useState<DeskState>({ sending: false, foreign: false, looks: 0 });
  const desk = useMemo(() => makeDesk(id, setState), [id]);
  useEffect(() => {
    void openDesk(desk);
  }, [desk]);
  useEffect(() => {
    const ms = nextLookMs(state);
    if (ms === undefined) return;
    const timer = setTimeout(
      () => {
        const { order, kept } = desk.state;
        const payment = order ? decidePayment(order, kept) : undefined;
        if (payment?.kind === "send") void resumeAttempt(desk, payment.attempt);
        else void lookAtOrder(desk);
      },
      ms * (0.9 + Math.random() * 0.2),
    );
    return () => clearTimeout(timer);
  }, [desk, state]);
  const isOpen = state.order?.state === "pending";
  useEffect(() => {
    const { credential } = desk;
    if (!isOpen || !credential) return;
    const leaving = new AbortController();
    const onOrder = (order: OrderView) => {
      if (order.state === desk.state.order?.state) return;
      // Shown at once, tickets and all; the look that follows tidies up what was kept of the attempt.
      desk.tell({ order });
      void lookAtOrder(desk);
    };
    void listenToOrder(id, { credential, signal: leaving.signal, onOrder });
    return () => leaving.abort();
  }, [desk, isOpen]);
  return { desk, state };
}
