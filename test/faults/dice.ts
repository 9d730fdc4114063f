// A small generator with a seed that every report prints: the same seed makes the same choices.

export function createDice(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    below: (n: number): number => Math.floor(next() * n),
    pick<T>(list: readonly T[]): T {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    shuffle: <T>(list: readonly T[]): T[] =>
      list
        .map((item) => ({ item, by: next() }))
        .sort((a, b) => a.by - b.by)
        .map(({ item }) => item),
  };
}
