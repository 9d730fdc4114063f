import { idFromPath } from "../kit/dom.ts";
import { takeToken } from "../kit/fragment-token.ts";
import { ScanApp } from "./app.tsx";
import { startPage } from "./words.ts";

// An organizer may hand out the door's key in a link; it leaves the address at once.
void startPage(<ScanApp event={idFromPath()} shownKey={takeToken()} />);
