// What is simulated, and what is assumed about people.

export type Variant = {
  readonly name: string;
  readonly says: string;
  readonly fans: number;
  readonly seats: number;
  /** Within this time after the opening everybody has come (those who did not come before it). */
  readonly arriveWithinS: number;
  /** Share that was there before the opening: in the pool of the draw. */
  readonly earlyShare: number;
  readonly draw: boolean;
  readonly ratePerMinute: number;
  readonly activeMax: number;
  readonly pace: "fixed" | "measured";
  /** What the core can really do. */
  readonly capacityPerMinute: number;
  /** Of the joins, how many are machines; they come in the first seconds. */
  readonly botShare: number;
  /** Share of those who wait that closes the page for good, at a random time of the first half hour. */
  readonly leaverShare: number;
  readonly hiddenShare: number;
  /** Redis is lost in this span, in seconds. */
  readonly outage?: { readonly from: number; readonly to: number };
};

const PLAIN: Variant = {
  name: "plain",
  says: "in order of arrival, everybody after the opening",
  fans: 2_000_000,
  seats: 60_000,
  arriveWithinS: 600,
  earlyShare: 0,
  draw: false,
  ratePerMinute: 2_000,
  activeMax: 10_000,
  pace: "measured",
  capacityPerMinute: 2_400,
  botShare: 0,
  leaverShare: 0.1,
  hiddenShare: 0.3,
};

export const VARIANTS: readonly Variant[] = [
  PLAIN,
  {
    ...PLAIN,
    name: "draw",
    says: "60 % are there before the opening; drawn by lot",
    earlyShare: 0.6,
    draw: true,
  },
  {
    ...PLAIN,
    name: "bots-in-line",
    says: "95 % of the joins are machines, all in the first half minute; no draw",
    botShare: 0.95,
  },
  {
    ...PLAIN,
    name: "bots-in-draw",
    says: "95 % of the joins are machines, 60 % early; drawn by lot",
    botShare: 0.95,
    earlyShare: 0.6,
    draw: true,
  },
  {
    ...PLAIN,
    name: "half-leaving",
    says: "half of those who wait close the page",
    leaverShare: 0.5,
  },
  {
    ...PLAIN,
    name: "failover",
    says: "Redis is lost after 8 minutes, for 30 seconds",
    outage: { from: 480, to: 510 },
  },
];

/** Assumed of people, the same in every variant. */
export const ASSUMED = {
  /** Of those admitted, who buys; what they buy; how long it takes. */
  buyShare: 0.85,
  quantities: [1, 2, 2, 2, 3, 4],
  shopMinS: 45,
  shopMaxS: 240,
  nearPollS: 2,
  hiddenPollS: 60,
} as const;
