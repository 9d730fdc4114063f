// What takes real time although the clock is simulated, the threads of WebCrypto, and what would come
// from real chance. The work is done one piece after another, and no event begins before all of it is
// done; the chance comes from the seed. So a seed gives the same life again, to the last step.
import { Dice } from "./dice.ts";

const realSetImmediate = setImmediate;
const BYTES = 256;

export class RealWork {
  #last: Promise<unknown> = Promise.resolve();
  #open = 0;
  #dice = new Dice(0);

  begin(seed: number): void {
    this.#dice = new Dice(seed ^ 0x5eed);
  }

  /** When all of it is done, and whatever follows from it without waiting. */
  async done(): Promise<void> {
    do {
      await this.#last;
      await new Promise<void>((resolve) => realSetImmediate(resolve));
    } while (this.#open > 0);
  }

  /** From now on this process does its real work in order, and throws these dice. */
  rule(): void {
    Math.random = () => this.#dice.next();
    Crypto.prototype.getRandomValues = <T extends ArrayBufferView<ArrayBuffer>>(array: T): T => {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.#dice.between(0, BYTES);
      return array;
    };
    const subtle = SubtleCrypto.prototype;
    for (const name of Object.getOwnPropertyNames(subtle)) {
      const work: unknown = Object.getOwnPropertyDescriptor(subtle, name)?.value;
      if (typeof work !== "function" || name === "constructor") continue;
      const inOrder = (of: unknown, args: unknown[]) => this.#inOrder(() => work.apply(of, args));
      Object.defineProperty(subtle, name, {
        value(...args: unknown[]) {
          return inOrder(this, args);
        },
      });
    }
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    this.#open += 1;
    const result = this.#last.then(work);
    const close = () => {
      this.#open -= 1;
    };
    this.#last = result.then(close, close);
    return result;
  }
}
