import { AccountApp } from "./app.tsx";
import { startPage } from "./words.ts";

/** Somebody whom a line asked for an entry pass comes with the event's name. */
const asked = new URLSearchParams(location.search).get("event") ?? undefined;

void startPage(<AccountApp asked={asked} />);
