export { texts } from "./en.ts";
