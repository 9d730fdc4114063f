import { idFromPath } from "../kit/dom.ts";
import { OrderApp } from "../orders/app.tsx";
import { startPage } from "../shop/page.tsx";
import { CardForm } from "./card-form.tsx";

void startPage(<OrderApp order={idFromPath()} CardForm={CardForm} />);
