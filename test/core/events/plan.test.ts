import { describe, expect, it } from "vitest";
import { layoutOf, planFaults, planOf } from "../../../core/events/plan.ts";
import { readSeatCsv, splitLine } from "../../../shared/seat-csv.ts";
import { describeHouse } from "../holds/inventory.ts";

const row = (seats: number | number[], more = {}) => ({ id: "1", zone: "stalls", seats, ...more });

describe("the layout of a row", () => {
  it("has a letter for each place, and a gap where numbers are missing", () => {
    expect(layoutOf(row(4))).toEqual({ layout: "gggg", numbers: null });
    expect(layoutOf(row([1, 2, 3]))).toEqual({ layout: "ggg", numbers: null });
    expect(layoutOf(row([1, 2, 3, 7, 8]))).toEqual({
      layout: "ggg.gg",
      numbers: [1, 2, 3, 7, 8],
    });
    expect(layoutOf(row([1, 3, 5, 9])).layout).toBe("ggg.g");
    expect(layoutOf(row([8, 7, 6])).layout).toBe("ggg");
    expect(layoutOf(row([17])).layout).toBe("g");
    expect(layoutOf(row(5, { accessible: [1], companions: [2] })).layout).toBe("acggg");
  });
});

describe("the faults of a description", () => {
  const faults = (changes: object) =>
    planFaults({ ...describeHouse(), ...changes }).map(({ field }) => field);

  it("name where they are", () => {
    expect(faults({})).toEqual([]);
    const section = (rows: object[]) => [{ id: "A", name: "A", rows }];
    expect(faults({ sections: section([row(3, { zone: "nowhere" })]) })).toEqual([
      "sections.0.rows.0.zone",
    ]);
    expect(faults({ sections: section([row(3, { zone: "floor" })]) })).toEqual([
      "sections.0.rows.0.zone",
    ]);
    expect(faults({ sections: section([row(3), row(4)]) })).toEqual(["sections.0.rows.1.id"]);
    expect(faults({ sections: section([row([1, 1])]) })).toEqual(["sections.0.rows.0.seats"]);
    expect(faults({ sections: section([row(3, { accessible: [4] })]) })).toEqual([
      "sections.0.rows.0.accessible",
    ]);
    expect(faults({ sections: section([row(3, { accessible: [1], companions: [1] })]) })).toEqual([
      "sections.0.rows.0.companions",
    ]);
    expect(faults({ currency: "TYR" })).toEqual(["currency"]);
    expect(faults({ saleClosesAt: "2019-01-01T00:00:00Z" })).toEqual(["saleClosesAt"]);
    const zone = { id: "x", name: "X", price: 1 };
    const zones = [...describeHouse().zones, { ...zone, kind: "standing" }];
    expect(faults({ zones })).toEqual(["zones.2.capacity"]);
    expect(
      faults({ zones: [...zones.slice(0, 2), { ...zones[0], id: "y", capacity: 3 }] }),
    ).toEqual(["zones.2.capacity"]);
  });

  it("do not let rows of two sections be neighbours", () => {
    const rows = [row(3), { ...row(3), id: "2" }];
    const plan = planOf({
      ...describeHouse(),
      sections: [
        { id: "A", name: "A", rows },
        { id: "B", name: "B", rows },
      ],
    });
    expect(plan.rows.map(({ rank }) => rank)).toEqual([1, 2, 4, 5]);
  });
});

describe("a CSV seat map", () => {
  it("is read with quotes, any order of columns and of seats", () => {
    const { sections, faults } = readSeatCsv(
      '\uFEFFzone,section,row,number,kind\r\nstalls,A,1,2,companion\r\n"stalls","A",1,1,accessible\r\nstalls,A,2,1,\r\n',
    );
    expect(faults).toEqual([]);
    expect(sections).toEqual([
      {
        id: "A",
        name: "A",
        rows: [
          { id: "1", zone: "stalls", seats: [1, 2], accessible: [1], companions: [2] },
          { id: "2", zone: "stalls", seats: [1] },
        ],
      },
    ]);
  });

  it("names the line of every fault", () => {
    const { faults } = readSeatCsv(
      [
        "section,row,number,zone,kind",
        "A,1,1,stalls,general",
        "A,1,1,stalls,general",
        "A,1,x,stalls,general",
        "A,1,2,other,general",
        "A-B,1,2,stalls,general",
        "A,1,3,stalls,throne",
        'A,1,"4,stalls,general',
      ].join("\n"),
    );
    expect(faults.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8]);
    expect(faults[0]?.message).toBe("seat A-1-1 stands in line 2 already");
    expect(readSeatCsv("section,row,seat\n").faults).toEqual([
      { line: 1, message: "no column number, zone" },
      { line: 1, message: "unknown column seat" },
    ]);
  });

  it("names the line of a zone that is not there or is for standing", () => {
    const text = "section,row,number,zone\nA,1,1,stalls\nA,1,2,nowhere\nA,2,1,floor\n";
    const zones = [
      { id: "stalls", kind: "seated" as const },
      { id: "floor", kind: "standing" as const },
    ];
    expect(readSeatCsv(text, zones).faults).toEqual([
      { line: 3, message: 'no zone "nowhere"' },
      { line: 4, message: 'zone "floor" is standing' },
    ]);
  });

  it("has the bounds of a house described as JSON, and names the line beyond them", () => {
    const header = "section,row,number,zone";
    const lines = (count: number, line: (n: number) => string) =>
      [header, ...Array.from({ length: count }, (_, n) => line(n + 1))].join("\n");
    const fault = (text: string) => readSeatCsv(text).faults[0];
    expect(fault(lines(500, (n) => `A,1,${n},stalls`))).toBeUndefined();
    const row = { line: 502, message: "more than 500 seats in row A-1" };
    expect(fault(lines(501, (n) => `A,1,${n},stalls`))).toEqual(row);
    const rows = { line: 2_002, message: "more than 2000 rows in section A" };
    expect(fault(lines(2_001, (n) => `A,${n},1,stalls`))).toEqual(rows);
    const sections = { line: 502, message: "more than 500 sections" };
    expect(fault(lines(501, (n) => `S${n},1,1,stalls`))).toEqual(sections);
  });

  it("without seats, with a column twice or with text beyond its columns is refused", () => {
    const header = "section,row,number,zone";
    const faults = (text: string) => readSeatCsv(text).faults;
    expect(faults(header)).toEqual([{ line: 1, message: "no seats follow" }]);
    expect(faults(`${header},zone\nA,1,1,a,b`)).toEqual([
      { line: 1, message: "column zone twice" },
    ]);
    expect(faults(`${header}\nA,1,1,a,,\nA,1,2,a,x`)).toEqual([
      { line: 3, message: '"x" stands in no column' },
    ]);
  });

  it("splits quoted fields", () => {
    expect(splitLine('a,"b ""x"", c",')).toEqual(["a", 'b "x", c', ""]);
    expect(splitLine('a,"b')).toBeUndefined();
  });
});
