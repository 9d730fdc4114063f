/**
 * One value that many requests of an isolate share: read from memory while it is young, loaded by one
 * request at a time otherwise. A request that waits for another's load does so for a bounded time and
 * then loads by itself, since the other may have been cut off by its client.
 */
export class Fresh<T> {
  #value: { value: T; at: number } | undefined;
  #loading: Promise<T> | undefined;
  readonly #ageMs: number;

  constructor(ageMs: number) {
    this.#ageMs = ageMs;
  }

  /**
   * @param load uses the I/O objects of this request alone: workerd refuses another one's.
   * @param keepAlive `waitUntil` of the request, so that a load outlives a client that hangs up.
   */
  async get(
    now: number,
    more: { load: () => Promise<T>; keepAlive: (work: Promise<unknown>) => void },
  ): Promise<T> {
    if (this.#value && now - this.#value.at < this.#ageMs) return this.#value.value;
    if (this.#loading) {
      const shared = await within(this.#loading, SHARED_WAIT_MS);
      if (shared !== undefined) return shared.value;
    }
    return await this.#start(now, more);
  }

  /** The last value, however old; for when a load fails. */
  get last(): T | undefined {
    return this.#value?.value;
  }

  forget(): void {
    this.#value = undefined;
  }

  async #start(
    now: number,
    more: { load: () => Promise<T>; keepAlive: (work: Promise<unknown>) => void },
  ): Promise<T> {
    const loading = more.load();
    this.#loading = loading;
    more.keepAlive(loading.catch(() => undefined));
    try {
      const value = await loading;
      this.#value = { value, at: now };
      return value;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }
}

const SHARED_WAIT_MS = 1_500;

async function within<T>(work: Promise<T>, ms: number): Promise<{ value: T } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([
      work.then(
        (value) => ({ value }),
        () => undefined,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
