import { useEffect, useState } from "preact/hooks";
import type { AccountView } from "../../../shared/contract/accounts.ts";
import type { EventView } from "../../../shared/contract/events.ts";
import type { Reply } from "../kit/api.ts";
import { codeOf, type TroubleCode } from "../shop/parts/failure.ts";
import * as calls from "./calls.ts";

/** What the account page knows, and what can be done on it. */

export type AccountState = {
  view: "loading" | "email" | "code" | "in" | "erased";
  email: string;
  account?: AccountView;
  events: EventView[];
  busy: boolean;
  trouble?: TroubleCode | undefined;
};

export function useAccount() {
  const [state, setState] = useState<AccountState>({
    view: "loading",
    email: "",
    events: [],
    busy: false,
  });
  const tell = (change: Partial<AccountState>) => setState((now) => ({ ...now, ...change }));

  /** One act at a time; what was refused is said where it was pressed. */
  async function act<T>(ask: () => Promise<Reply<T>>): Promise<T | undefined | "refused"> {
    tell({ busy: true, trouble: undefined });
    const reply = await ask();
    if (reply.kind === "ok") {
      tell({ busy: false });
      return reply.data;
    }
    const trouble = codeOf(reply);
    // The session has ended meanwhile: the way on is the way in.
    if (trouble === "account_required") tell({ view: "email" });
    tell({ busy: false, trouble });
    return "refused";
  }

  async function look(): Promise<void> {
    const reply = await calls.readAccount();
    if (reply.kind === "ok") return tell({ view: "in", account: reply.data, trouble: undefined });
    const trouble = codeOf(reply);
    tell({ view: "email", trouble: trouble === "account_required" ? undefined : trouble });
  }

  useEffect(() => {
    void look();
    void calls.readEvents().then((reply) => {
      if (reply.kind === "ok") tell({ events: reply.data.events });
    });
  }, []);

  return {
    state,
    tell,
    async askCode(email: string) {
      const said = await act(() => calls.askCode(email, document.documentElement.lang));
      if (said !== "refused") tell({ view: "code", email });
    },
    async sendCode(code: string) {
      if ((await act(() => calls.sendCode(state.email, code))) !== "refused") await look();
    },
    async register(event: string) {
      const said = await act(() => calls.registerFor(event));
      if (said !== "refused") await look();
      return said !== "refused";
    },
    /** With a fresh pass in hand, whatever the age of the last one. */
    async goToLine(event: string) {
      if ((await act(() => calls.registerFor(event))) !== "refused")
        location.assign(`/e/${encodeURIComponent(event)}`);
    },
    async openOrder(id: string) {
      const said = await act(() => calls.openOrder(id));
      if (said && said !== "refused")
        location.assign(`/orders/${encodeURIComponent(id)}#token=${said.orderToken}`);
    },
    async saveCopy() {
      const copy = await act(calls.readCopy);
      if (copy === "refused") return undefined;
      return new Blob([JSON.stringify(copy, null, 2)], { type: "application/json" });
    },
    async signOut() {
      if ((await act(calls.signOut)) !== "refused") tell({ view: "email", email: "" });
    },
    async erase() {
      if ((await act(calls.eraseAccount)) !== "refused") tell({ view: "erased" });
    },
  };
}

export type Account = ReturnType<typeof useAccount>;
