/**
 * Links in mails carry their token in the fragment, which no server and no log ever sees. It is taken
 * out of the address at once, so that a screenshot, a shared address or the history does not hold it.
 */

const TOKEN = /^#token=([\w.-]{1,4096})$/;

export function takeToken(): string | undefined {
  const [, token] = TOKEN.exec(location.hash) ?? [];
  if (token !== undefined) history.replaceState(null, "", location.pathname + location.search);
  // The link pressed again, over this very page, changes only the fragment.
  addEventListener("hashchange", () => {
    if (TOKEN.test(location.hash)) location.reload();
  });
  return token;
}
