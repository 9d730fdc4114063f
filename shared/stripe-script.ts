/**
 * Stripe.js. Only where a deployment takes cards with Stripe may the payment page, and no other, load
 * it: the gate tells the page, and the page's own policy allows it.
 */
export const STRIPE_SCRIPT = "https://js.stripe.com/v3/";
