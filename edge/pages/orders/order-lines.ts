import type { EventView } from "../../../shared/contract/events.ts";
import type { OrderView } from "../../../shared/contract/orders.ts";
import { fill } from "../kit/i18n.ts";
import type { Line } from "../shop/parts/lines.tsx";
import type { ShopTexts } from "../shop/texts/en.ts";

/** What the core calls it. */
const FEE_PER_ORDER = "fee per order";

function textOf(
  line: OrderView["lines"][number],
  event: EventView | undefined,
  texts: ShopTexts,
): string {
  switch (line.kind) {
    case "seat": {
      // `section-row-number`; section and row labels hold no hyphen.
      const [section = "", row = "", number = ""] = line.id.split("-");
      const name = event?.sections.find(({ id }) => id === section)?.name ?? section;
      return [name, fill(texts.row, { row }), fill(texts.seatNumber, { number })].join(", ");
    }
    case "zone":
      return event?.zones.find(({ id }) => id === line.id)?.name ?? line.id;
    case "addon":
      return event?.addons.find(({ id }) => id === line.id)?.name ?? line.id;
    case "fee":
      return line.id === FEE_PER_ORDER ? texts.feeOrder : texts.feeTicket;
    case "tax":
      return texts.tax;
  }
}

/** The order's lines in words; names come from the event, once it has been read. */
export const linesOfOrder = (
  order: OrderView,
  event: EventView | undefined,
  texts: ShopTexts,
): Line[] =>
  order.lines.map((line, at) => ({
    key: `${line.kind}-${line.id}-${at}`,
    text: textOf(line, event, texts),
    price: line.price,
    quantity: line.quantity,
  }));
