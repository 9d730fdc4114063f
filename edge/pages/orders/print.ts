/** Prints one part of the order's page: the tickets as they look, or the receipt on a sheet of its own. */
export function printOnly(part: "tickets" | "receipt"): void {
  document.body.dataset["print"] = part;
  addEventListener("afterprint", () => delete document.body.dataset["print"], { once: true });
  print();
}
