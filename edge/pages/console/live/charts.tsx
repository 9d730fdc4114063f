import { useMemo, useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";
import { Chart } from "./chart.tsx";
import { countedAt } from "./decide.ts";
import { admittedPerMinute, momentsIn, type Span } from "./history.ts";
import type { Watched } from "./use-live.ts";

const SPANS: readonly Span[] = ["tenMinutes", "hour", "whole"];

export function Charts({ watched, event }: { watched: Watched; event: EventView }) {
  const { texts } = useWords();
  const [span, setSpan] = useState<Span>("tenMinutes");
  const { seconds, minutes, sales, figures, now } = watched;
  const moments = useMemo(() => momentsIn(span, seconds, minutes), [span, seconds, minutes]);
  const times = moments.map(({ at }) => at / 1000);
  const [firstAt = 0] = times;
  // The minute of the room's first moment may have begun before it.
  const sold = sales.filter(({ at }) => Date.parse(at) / 1000 >= firstAt - 60);
  const saleTimes = sold.map(({ at }) => Date.parse(at) / 1000);
  const unit =
    10 **
    (new Intl.NumberFormat("en", {
      style: "currency",
      currency: event.currency,
    }).resolvedOptions().maximumFractionDigits ?? 2);
  if (moments.length < 2) return <p class="empty">{texts.noHistory}</p>;
  return (
    <section class="charts" aria-label={texts.charts}>
      <fieldset class="spans" aria-label={texts.span}>
        {SPANS.map((each) => (
          <button
            key={each}
            type="button"
            class="quiet small"
            aria-pressed={each === span}
            onClick={() => setSpan(each)}
          >
            {texts.spans[each]}
          </button>
        ))}
        <Age at={figures ? countedAt(figures) : undefined} now={now} />
      </fieldset>
      <Chart
        title={texts.chartPeople}
        times={times}
        series={[
          {
            figure: "chart.waiting",
            label: texts.waiting,
            colour: "--chart-0",
            values: moments.map((m) => m.waiting),
            isArea: true,
          },
          {
            figure: "chart.inside",
            label: texts.inside,
            colour: "--chart-1",
            values: moments.map((m) => m.inside),
          },
          {
            figure: "chart.door",
            label: texts.door,
            colour: "--chart-2",
            values: moments.map((m) => m.door),
            dash: [2, 3],
          },
        ]}
      />
      <Chart
        title={texts.chartRate}
        times={times}
        series={[
          {
            figure: "chart.letIn",
            label: texts.letInNow,
            colour: "--chart-0",
            values: admittedPerMinute(moments),
            isArea: true,
          },
          {
            figure: "chart.rate",
            label: texts.setRate,
            colour: "--chart-1",
            values: moments.map((m) => m.rate),
            dash: [6, 4],
          },
        ]}
      />
      {saleTimes.length > 1 ? (
        <>
          <Chart
            title={texts.chartOrders}
            times={saleTimes}
            series={[
              {
                figure: "chart.orders",
                label: texts.ordersPaid,
                colour: "--chart-0",
                values: sold.map(({ orders }) => orders),
                isArea: true,
              },
            ]}
          />
          <Chart
            title={`${texts.chartMoney} (${event.currency})`}
            times={saleTimes}
            series={[
              {
                figure: "chart.captured",
                label: texts.captured,
                colour: "--chart-0",
                values: sold.map(({ captured }) => captured / unit),
                isArea: true,
              },
              {
                figure: "chart.refunded",
                label: texts.refunded,
                colour: "--chart-1",
                values: sold.map(({ refunded }) => refunded / unit),
                dash: [6, 4],
              },
            ]}
          />
        </>
      ) : null}
    </section>
  );
}
