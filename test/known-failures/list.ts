// Which test covers which of the ways in which systems like this one have failed before. The numbers
// are those of the list that the project was planned with; each is the whole kind and not the one
// instance that somebody met. Numbers that are missing here belong to the gate and to money.

export type KnownFailure = {
  number: number;
  /** What went wrong elsewhere. */
  what: string;
  coveredBy: readonly { file: string; test: string }[];
};

export const KNOWN_FAILURES: readonly KnownFailure[] = [
  {
    number: 1,
    what: "last tickets sold several times when devices order at once",
    coveredBy: [
      {
        file: "test/core/holds/chosen.test.ts",
        test: "at which forty people grasp at once go to exactly one",
      },
      {
        file: "test/core/holds/best.test.ts",
        test: "of two fill the whole house, each pair side by side",
      },
      {
        file: "test/core/holds/four-processes.test.ts",
        test: "ten thousand places are sold to the last one, and each client got what it was told",
      },
      {
        file: "test/core/holds/addons.test.ts",
        test: "goes to exactly as many as there are, of forty at two processes at once",
      },
    ],
  },
  {
    number: 2,
    what: "expired reservations that never return to stock",
    coveredBy: [
      {
        file: "test/core/holds/expiry.test.ts",
        test: "every hold function takes back what is due in its own way",
      },
      {
        file: "test/core/holds/expiry.test.ts",
        test: "a burst on a house whose holds are all due sells every seat",
      },
      {
        file: "test/core/holds/expiry.test.ts",
        test: "gives back everything that is due, once, and the counters agree to the unit",
      },
      {
        file: "test/core/holds/expiry.test.ts",
        test: "and lazy expiry at once count each unit once",
      },
      {
        file: "test/core/holds/addons.test.ts",
        test: "comes back with a release and with a hold that ran out, swept or not, once",
      },
    ],
  },
  {
    number: 3,
    what: "bought tickets counted twice",
    coveredBy: [
      {
        file: "test/core/holds/expiry.test.ts",
        test: "are sold once and together; a repeat says so",
      },
      {
        file: "test/core/holds/rules.test.ts",
        test: "per account count what is bought and what is held, also across parallel requests",
      },
      { file: "test/core/holds/model.test.ts", test: "is the model's house, whatever" },
    ],
  },
  {
    number: 4,
    what: "abandoned maximum carts that end sold out with nothing sold",
    coveredBy: [
      { file: "test/core/holds/rules.test.ts", test: "never end as sold out with nothing sold" },
      {
        file: "test/core/holds/rules.test.ts",
        test: "is the event's, and shorter for who let holds run out again and again",
      },
    ],
  },
  {
    number: 5,
    what: "parallel refunds above the payment",
    coveredBy: [
      {
        file: "test/core/payments/refunds.test.ts",
        test: "above what was paid is refused, also when many come at once",
      },
      {
        file: "test/core/payments/refunds.test.ts",
        test: "whose answer is lost counts for the sum, is inquired about, and happens once",
      },
    ],
  },
  {
    number: 6,
    what: "limits kept only in the form, per line, or per order instead of per account",
    coveredBy: [
      {
        file: "test/core/holds/rules.test.ts",
        test: "per order hold for every kind of hold, and nothing is held",
      },
      {
        file: "test/core/holds/rules.test.ts",
        test: "lowered below what somebody holds refuse more, and let what is held be bought",
      },
      { file: "test/known-failures/limits.test.ts", test: "%j is refused and holds nothing" },
      {
        file: "test/known-failures/limits.test.ts",
        test: "200 chosen seats in one request are refused, and so are 9 where 8 may be had",
      },
      {
        file: "test/known-failures/limits.test.ts",
        test: "holds for one account at many places, kinds, processes and orders at once",
      },
      {
        file: "test/known-failures/limits.test.ts",
        test: "lowered in the middle of a rush lets nobody beyond it afterwards, and takes nothing back",
      },
    ],
  },
  {
    number: 7,
    what: "a sale start in the wrong time zone; daylight-saving gaps and repeats",
    coveredBy: [
      {
        file: "test/core/events/sale-window.test.ts",
        test: "on %s opens at the instant and not one millisecond before",
      },
      {
        file: "test/core/events/sale-window.test.ts",
        test: "%s is refused, and the right offset is named",
      },
      {
        file: "test/core/holds/rules.test.ts",
        test: "by the database clock: refused one millisecond before, accepted at the instant",
      },
    ],
  },
  {
    number: 8,
    what: "capacity raised and still sold out; lowered below sold",
    coveredBy: [
      {
        file: "test/core/events/events.test.ts",
        test: "that raises the capacity sells more, and one that lowers it to the sold sells no more",
      },
      {
        file: "test/core/events/events.test.ts",
        test: "that would lose a sold seat or place is refused, naming it, and changes nothing",
      },
      {
        file: "test/known-failures/limits.test.ts",
        test: "raised is sold at once, also where people have just been told sold out",
      },
      {
        file: "test/known-failures/limits.test.ts",
        test: "lowered at the same time as a rush never ends below what is held",
      },
    ],
  },
  {
    number: 9,
    what: "the buyer blocked by an own hold",
    coveredBy: [
      {
        file: "test/known-failures/own-hold.test.ts",
        test: "is found again from every tab and process, and is never 'just taken'",
      },
      {
        file: "test/known-failures/own-hold.test.ts",
        test: "given back is there for its owner at once, together with its neighbours",
      },
      {
        file: "test/known-failures/own-hold.test.ts",
        test: "that has run out stands neither in the way of its seats nor of its owner's limit",
      },
      {
        file: "test/core/holds/redis.test.ts",
        test: "are one's own for one's own requests, and are given back after the statement",
      },
      {
        file: "test/core/holds/sold-out.test.ts",
        test: "gets it: their own hold, at whichever process",
      },
    ],
  },
  {
    number: 10,
    what: "a failing change that resets the countdown",
    coveredBy: [
      {
        file: "test/known-failures/own-hold.test.ts",
        test: "is moved by no change that fails, of whatever kind",
      },
      {
        file: "test/core/holds/chosen.test.ts",
        test: "other than those held are refused while the hold lives, and its countdown stays",
      },
      {
        file: "test/core/holds/expiry.test.ts",
        test: "keeps what is left of its own time when the payment failed",
      },
    ],
  },
  {
    number: 11,
    what: "the same seat twice in one request deadlocking itself",
    coveredBy: [
      {
        file: "test/known-failures/own-hold.test.ts",
        test: "%s is refused and holds nothing, also many times at once",
      },
      {
        file: "test/known-failures/own-hold.test.ts",
        test: "in another spelling (%j) is another seat, which is not there",
      },
      {
        file: "test/known-failures/own-hold.test.ts",
        test: "of one person in requests that overlap in every way ends in one hold and no deadlock",
      },
      {
        file: "test/core/holds/chosen.test.ts",
        test: "asked for in any order across rows never deadlock",
      },
    ],
  },
  {
    number: 20,
    what: "a lock released by somebody who no longer owned it",
    coveredBy: [
      {
        file: "test/known-failures/foreign-lock.test.ts",
        test: "a seat lock that ran out and passed to somebody else stays theirs",
      },
      {
        file: "test/known-failures/foreign-lock.test.ts",
        test: "a person refused because of one lock takes and leaves none, and keeps the others apart",
      },
      {
        file: "test/core/holds/redis.test.ts",
        test: "turn the second person away while the first one's statement runs, and leave no trace",
      },
    ],
  },
  {
    number: 26,
    what: "paths in another letter case or encoding slipping past a check",
    coveredBy: [
      {
        file: "test/known-failures/spelling.test.ts",
        test: "%s: no guarded route answers a stranger",
      },
    ],
  },
  {
    number: 27,
    what: "X-Forwarded-For rotating a rate-limit key; IPv6 by single address",
    coveredBy: [
      {
        file: "test/core/limits/limits.test.ts",
        test: "count an IPv6 customer's /64 as one, believe only our own proxy's word, spare our own machines",
      },
      {
        file: "test/core/limits/limits.test.ts",
        test: "end a flood with one credential, whatever its addresses",
      },
      { file: "test/core/http/request.test.ts", test: "%s counts as %s" },
      {
        file: "test/edge/suspicion.test.ts",
        test: "one address may bring a stadium; beyond that the next place costs a proof of work, never a refusal",
      },
      { file: "test/edge/suspicion.test.ts", test: "is %s" },
    ],
  },
  {
    number: 28,
    what: "events of a stream that nobody receives; timers that leak with each visitor",
    coveredBy: [
      { file: "test/core/live/event-source.test.ts", test: "sees somebody else's hold" },
      { file: "test/core/live/live.test.ts", test: "hears of a change made at another process" },
      { file: "test/core/live/live.test.ts", test: "without Redis still hears of it, by looking" },
      {
        file: "test/core/live/live.test.ts",
        test: "ten thousand connects leave no listener, no timer and no subscription behind",
      },
      {
        file: "test/core/live/live.test.ts",
        test: "a thousand streams opened and left end with the timers there were before",
      },
    ],
  },
];
