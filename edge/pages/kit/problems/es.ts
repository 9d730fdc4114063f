export { problems } from "./en.ts";
