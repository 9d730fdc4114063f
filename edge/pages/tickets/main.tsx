import { idFromPath } from "../kit/dom.ts";
import { startPage } from "../shop/page.tsx";
import { TicketApp } from "./app.tsx";

void startPage(<TicketApp ticket={idFromPath()} />);
