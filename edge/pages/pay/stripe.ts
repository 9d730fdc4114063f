/**
 * As much of Stripe.js as we use. Its script is loaded by the payment page alone, whose own policy
 * allows it; card details live in Stripe's frames, and we learn no more than a method's id.
 */

export type CardElements = {
  create: (kind: "payment", options?: object) => { mount: (element: HTMLElement) => void };
  submit: () => Promise<{ error?: { message?: string } }>;
};

export type Stripe = {
  elements: (options: object) => CardElements;
  createPaymentMethod: (options: {
    elements: CardElements;
    params?: object;
  }) => Promise<{ paymentMethod?: { id: string }; error?: { message?: string } }>;
};

type StripeMaker = (key: string, options?: { locale?: string }) => Stripe;

const isMaker = (value: unknown): value is StripeMaker => typeof value === "function";

const findMaker = (): StripeMaker | undefined => {
  const value: unknown = Reflect.get(window, "Stripe");
  return isMaker(value) ? value : undefined;
};

let loading: Promise<StripeMaker> | undefined;

/** Once; after a failure it may be tried again. */
export function loadStripe(script: string): Promise<StripeMaker> {
  loading ??= new Promise<StripeMaker>((resolve, reject) => {
    const element = document.createElement("script");
    element.src = script;
    element.addEventListener("load", () => {
      const maker = findMaker();
      if (maker) resolve(maker);
      else reject(new Error("the script brought no Stripe"));
    });
    element.addEventListener("error", () => reject(new Error("the script did not load")));
    document.head.append(element);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Stripe wants other minor units than ISO 4217 for these; see the core's `stripe-amounts.ts`. */
const TIMES_HUNDRED: ReadonlySet<string> = new Set(["ISK", "UGX"]);

export const stripeAmount = ({ amount, currency }: { amount: number; currency: string }): number =>
  TIMES_HUNDRED.has(currency) ? amount * 100 : amount;
