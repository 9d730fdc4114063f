/** Placeholder until the payment provider's own contract lands: the name that `Deps` needs. */
export type PaymentProvider = { readonly name: string };
