import type { IncomingMessage, Server, ServerResponse } from "node:http";

/**
 * Closing a server does not end connections that are in use: a browser or a proxy that always has
 * something to ask would keep a process alive, and be cut in the middle at its end. So from the stop
 * on every answer says that its connection ends with it, and the client dials another process.
 */

/** A connection whose answer was on its way when the stop began says nothing, and falls idle. */
const IDLE_LOOK_MS = 100;

export type Drain = {
  /** Takes no new connection; done when the last answer is out. */
  close(): Promise<void>;
};

export function createDrain(server: Server): Drain {
  const open = new Set<ServerResponse>();
  let closing = false;
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (closing) response.setHeader("connection", "close");
    open.add(response);
    response.once("close", () => open.delete(response));
  });
  return {
    async close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const response of open)
        if (!response.headersSent) response.setHeader("connection", "close");
      const looks = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
      await closed;
      clearInterval(looks);
    },
  };
}
