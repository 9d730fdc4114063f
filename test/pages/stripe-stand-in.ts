// A script in the place of Stripe.js, on an origin of its own: a form of one field, and a payment
// method whose id the payment simulator knows.
import { createServer } from "node:http";

export const STAND_IN = `
window.Stripe = (key, options) => ({
  elements: (asked) => ({
    create: (kind) => ({
      mount: (place) => {
        const label = document.createElement("label");
        const field = document.createElement("input");
        label.className = "field";
        label.textContent = "Card number";
        field.id = "card-number";
        field.inputMode = "numeric";
        field.autocomplete = "cc-number";
        label.append(field);
        place.append(label);
        place.dataset.asked = JSON.stringify({ key, kind, options, ...asked });
      },
    }),
    submit: async () =>
      document.getElementById("card-number").value === ""
        ? { error: { message: "Your card number is incomplete." } }
        : {},
  }),
  createPaymentMethod: async () => ({ paymentMethod: { id: "pm_ok" } }),
});`;

export async function serveStandIn(): Promise<{ script: string; stop: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/javascript");
    response.setHeader("cross-origin-resource-policy", "cross-origin");
    response.end(STAND_IN);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    script: `http://127.0.0.1:${port}/stripe.js`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
