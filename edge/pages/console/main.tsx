import { render } from "preact";
import { byId } from "../kit/dom.ts";
import { applyLanguage, pickLanguage } from "../kit/i18n.ts";
import { ConsoleApp } from "./shell/app.tsx";
import { loadWords } from "./words.tsx";

const language = pickLanguage();
applyLanguage(language);
void loadWords(language).then((words) => render(<ConsoleApp first={words} />, byId("app")));
