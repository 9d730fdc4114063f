// node examples/foreign-shop/main.ts, beside `npm run dev -- --shop http://127.0.0.1:3000`.
import { generateKey, importKeySet } from "../../shared/token/keys.ts";
import { createShop } from "./shop.ts";

const gate = process.env["GATE"] ?? "http://127.0.0.1:8787";
const port = Number(process.env["PORT"] ?? "3000");
const event = process.env["EVENT"] ?? "sandbox";
const origin = `http://127.0.0.1:${port}`;
// Made at each start: the gate fetches the public half when it meets the new kid.
const keys = await importKeySet([await generateKey("service", "active", new Date())], ["service"]);
const shop = await createShop({ gate, origin, event, keys, stock: 100 });
shop.listen(port, "127.0.0.1", () => {
  console.log(
    `The shop is at ${origin}/book; without an admission it sends you to ${gate}/e/${event}`,
  );
});
