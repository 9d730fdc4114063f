import type { Plural } from "../../kit/i18n.ts";

/** The same sentences in another language: the same names, two words where there are two. */
export type Shape<T> = {
  readonly [K in keyof T]: T[K] extends readonly string[]
    ? readonly [title: string, body: string]
    : T[K] extends string
      ? string
      : T[K] extends Plural
        ? Plural
        : Shape<T[K]>;
};
