import { useEffect, useRef, useState } from "preact/hooks";
import type { TicketPage, TransferRequest } from "../../../shared/contract/tickets.ts";
import type { Credential } from "../kit/api.ts";
import { takeToken } from "../kit/fragment-token.ts";
import { load, remove, save } from "../kit/store.ts";
import { codeOf, type TroubleCode } from "../shop/parts/failure.ts";
import { handOn, readPicture, readTicketPage, ticketKey } from "./calls.ts";

/** What the page of one ticket knows. */
export type TicketState = {
  page?: TicketPage;
  picture?: string | undefined;
  trouble?: TroubleCode | undefined;
  /** Nobody here may see it, or not any more. */
  end?: "not_yours" | "handed_on";
  busy: boolean;
};

/** A door's scan shows on a page that is left open. */
const LOOK_MS = 30_000;

/** The link's token first; an old link does not stand in the way of what this browser keeps. */
async function credentialsFor(id: string): Promise<Credential[]> {
  const token = takeToken();
  const kept = await load<Credential>(ticketKey(id));
  return [...(token === undefined ? [] : [{ scheme: "Ticket", token } as const]), kept].filter(
    (each) => each !== undefined,
  );
}

export function useTicket(id: string) {
  const [state, setState] = useState<TicketState>({ busy: false });
  const held = useRef<Credential[]>([]);
  /** Sent, and no answer came: a refusal of the next try then means that it was done. */
  const isUncertain = useRef(false);
  const tell = (change: Partial<TicketState>) => setState((now) => ({ ...now, ...change }));

  async function look(): Promise<void> {
    const [credential, ...others] = held.current;
    if (!credential) return tell({ end: "not_yours" });
    const reply = await readTicketPage(id, credential);
    if (reply.kind === "ok") {
      held.current = [credential];
      await save(ticketKey(id), credential);
      tell({ page: reply.data, trouble: undefined });
      // Drawn once: while the token is good, so is the picture.
      const picture = await readPicture(id, credential);
      if (picture !== undefined) tell({ picture });
      return;
    }
    if (reply.kind === "problem" && (reply.status === 401 || reply.status === 404)) {
      held.current = others;
      if (others.length > 0) return look();
      await remove(ticketKey(id));
      return tell({ end: isUncertain.current ? "handed_on" : "not_yours" });
    }
    tell({ trouble: codeOf(reply) });
  }

  useEffect(() => {
    void credentialsFor(id).then((credentials) => {
      held.current = credentials;
      return look();
    });
    const again = () => {
      if (!document.hidden && held.current.length > 0) void look();
    };
    const timer = setInterval(again, LOOK_MS);
    document.addEventListener("visibilitychange", again);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }, [id]);

  async function send(to: TransferRequest): Promise<void> {
    const [credential] = held.current;
    if (!credential) return;
    tell({ busy: true, trouble: undefined });
    const reply = await handOn(id, credential, to);
    const isRefused = reply.kind === "problem" && (reply.status === 401 || reply.status === 404);
    if (reply.kind === "ok" || (isRefused && isUncertain.current)) {
      held.current = [];
      await remove(ticketKey(id));
      return tell({ busy: false, end: "handed_on" });
    }
    if (reply.kind === "network") isUncertain.current = true;
    tell({ busy: false, trouble: codeOf(reply) });
    if (isRefused) await look();
  }
  return { state, send, credential: () => held.current[0], tell };
}
