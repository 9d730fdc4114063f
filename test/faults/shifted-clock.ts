// Given with `--import` to a core process of a drill: its clock is 30 s ahead of everybody else's.
const AHEAD_MS = 30_000;
const Real = Date;
const now = (): number => Real.now() + AHEAD_MS;

globalThis.Date = new Proxy(Real, {
  construct: (target, args: ConstructorParameters<DateConstructor>, made) =>
    Reflect.construct(target, Reflect.ownKeys(args).length > 1 ? args : [now()], made),
  apply: () => new Real(now()).toString(),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});
