/** The name under which the page of a line lies on the phone; `line-worker.js` looks there. */
export const LINE_CACHE = "sira-line";
