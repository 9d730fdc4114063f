import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spreadMoney } from "../../../tools/cli/export.ts";
import { toCsv } from "../../../tools/cli/output.ts";
import { readSaleFile } from "../../../tools/cli/sale-file.ts";
import { growth, sparkline } from "../../../tools/cli/screen.ts";

describe("a sparkline", () => {
  test("shows the highest value as a full bar and nothing as the lowest", () => {
    expect(sparkline([0, 5, 10], 10)).toBe("▁▅█");
  });

  test("keeps to its width whatever it is given, and always draws something for each value", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 80 }), (values, width) => {
        expect([...sparkline(values, width)]).toHaveLength(Math.min(values.length, width));
      }),
    );
  });

  test("of running totals shows what was added, and never a fall after a reset", () => {
    expect(growth([1, 3, 3, 0, 4])).toEqual([2, 0, 0, 4]);
  });
});

describe("CSV", () => {
  test("has an amount as a number that can be added up, whatever the currency's decimals", () => {
    const money = (amount: number, currency: string) =>
      toCsv([spreadMoney({ id: "a", total: { amount, currency }, review: false })]);
    expect(money(240_010, "TRY")).toBe("id,total,totalCurrency,review\r\na,2400.1,TRY,false\r\n");
    expect(money(240_010, "JPY")).toContain("240010,JPY");
    expect(money(240_010, "KWD")).toContain("240.01,KWD");
  });

  test("quotes what must be quoted and disarms what a spreadsheet would run", () => {
    const rows = [
      { name: 'She said "hi"', note: "a,b", sum: -5 },
      { name: "=1+1", note: "two\nlines" },
    ];
    expect(toCsv(rows)).toBe(
      'name,note,sum\r\n"She said ""hi""","a,b",-5\r\n\'=1+1,"two\nlines",\r\n',
    );
  });
});

test("a sale file that is missing is refused by its name", () => {
  expect(() => readSaleFile("nowhere.json")).toThrow("nowhere.json cannot be read");
});
