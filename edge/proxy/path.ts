/** Where the queue sends an admitted fan on a proxied site's own host. */
export const ENTER_PATH = "/.sira/enter";
