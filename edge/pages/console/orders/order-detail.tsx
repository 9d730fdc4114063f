import { useEffect, useRef, useState } from "preact/hooks";
import type { OrderView } from "../../../../shared/contract/orders.ts";
import type { OrderHistory } from "../../../../shared/contract/sales.ts";
import { mailAgain, readOrder, readOrderHistory } from "../calls/orders.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { ActDialog } from "../parts/act-dialog.tsx";
import { Card, Said, type Word } from "../parts/field.tsx";
import { sentenceOf, useWords } from "../words.tsx";
import { Entries } from "./entries.tsx";
import { RefundDialog } from "./refund-dialog.tsx";

type Props = {
  session: Session;
  order: string;
  onClose: () => void;
  onChanged: () => Promise<unknown>;
};

/** One order: what it is, what may be done about it, and everything that happened to it. */
export function OrderDetail({ session, order, onClose, onChanged }: Props) {
  const words = useWords();
  const { texts, format } = words;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<OrderView>();
  const [history, setHistory] = useState<OrderHistory>();
  const [asked, setAsked] = useState<"refund" | "mail">();
  const [said, setSaid] = useState<Word>();
  const [trouble, setTrouble] = useState<string>();
  const [busy, setBusy] = useState(false);
  const look = async () => {
    const [one, past] = await Promise.all([
      readOrder(session, order),
      readOrderHistory(session, order),
    ]);
    if (one.kind === "ok") setView(one.data);
    else setSaid({ text: sentenceOf(words, one), isTrouble: true });
    if (past.kind === "ok") setHistory(past.data);
  };
  useEffect(() => {
    void look();
    // On a phone it stands above the list, far from the row that was pressed.
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const done = async (text: string) => {
    setAsked(undefined);
    setSaid({ text, isTrouble: false });
    await Promise.all([look(), onChanged()]);
  };
  const mail = async (reason: string) => {
    setBusy(true);
    const reply = await mailAgain(session, order, reason);
    setBusy(false);
    if (reply.kind === "ok") await done(texts.mailed);
    else setTrouble(sentenceOf(words, reply));
  };
  const isPaid = view?.state === "paid" || view?.state === "part_refunded";
  const may = mayAs(session, "operator");
  return (
    <div class="detail-box" ref={box} tabIndex={-1}>
      <Card
        title={texts.order}
        kind="detail"
        more={
          <button type="button" class="quiet small" onClick={onClose}>
            {texts.close}
          </button>
        }
      >
        <Said said={said} />
        {view === undefined ? null : (
          <>
            <p class="big">
              {format.money(view.total)}{" "}
              <span class={`state state-${view.state}`}>{texts.orderStates[view.state]}</span>
            </p>
            <p class="mono">{view.id}</p>
            <ul class="lines">
              {view.lines.map((line, i) => (
                <li key={i}>
                  <span>
                    {line.quantity} × {line.id}
                  </span>
                  <b>{format.money(line.price)}</b>
                </li>
              ))}
            </ul>
            {may && isPaid ? (
              <div class="actions">
                <button type="button" class="quiet" onClick={() => setAsked("mail")}>
                  {texts.mailAgain}
                </button>
                <button type="button" class="quiet grave-line" onClick={() => setAsked("refund")}>
                  {texts.refund}
                </button>
              </div>
            ) : null}
          </>
        )}
        <h3>{texts.history}</h3>
        <Entries entries={history?.entries ?? []} currency={view?.total.currency} />
        {asked === "refund" && view ? (
          <RefundDialog
            session={session}
            order={view}
            onClose={() => setAsked(undefined)}
            onDone={() => void done(texts.refundDone)}
          />
        ) : null}
        {asked === "mail" ? (
          <ActDialog
            title={texts.mailAgain}
            body={texts.mailBody}
            busy={busy}
            trouble={trouble}
            onClose={() => setAsked(undefined)}
            onConfirm={(reason) => void mail(reason)}
          />
        ) : null}
      </Card>
    </div>
  );
}
