import { idFromPath } from "../kit/dom.ts";
import { startPage } from "../shop/page.tsx";
import { OrderApp } from "./app.tsx";

void startPage(<OrderApp order={idFromPath()} />);
