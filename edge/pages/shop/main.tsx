import { idFromPath } from "../kit/dom.ts";
import { ShopApp } from "./app.tsx";
import { startPage } from "./page.tsx";

void startPage(<ShopApp event={idFromPath()} />);
