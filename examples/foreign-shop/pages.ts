// Three small pages; nothing of a visitor's is written into them.
const frame = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
  body { max-width: 32rem; margin: 4rem auto; padding: 0 1rem; }
  button, input { font: inherit; padding: 0.5rem 1rem; }
</style>
<h1>${title}</h1>
${body}
</html>`;

export const bookPage = (left: number, until: Date): string =>
  frame(
    "It is your turn",
    `<p>${left} left. You have until <time datetime="${until.toISOString()}">${until.toISOString().slice(11, 16)} UTC</time>.</p>
<form method="post" action="/book">
  <label>How many? <input name="quantity" type="number" value="1" min="1" max="4" required></label>
  <button>Book</button>
</form>`,
  );

export const bookedPage = (total: number): string =>
  frame("Booked", `<p>You have booked ${total}. Thank you.</p>`);

export const messagePage = (sentence: string, link: string): string =>
  frame("One moment", `<p>${sentence}</p><p><a href="${link}">Go on</a></p>`);
