import { connect } from "node:net";

/** The development mailbox says this in its greeting (RFC 5321 §4.2). */
const GREETING = /development mailbox/i;
const GREETING_MS = 3_000;

/**
 * Whether the SMTP server is the development mailbox, which delivers nothing. One that is silent or
 * speaks TLS at once is not; it cannot be reached now, perhaps, and mails wait for it.
 */
export function isDevelopmentMailbox(smtpUrl: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(smtpUrl);
  if (protocol !== "smtp:") return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 25), timeout: GREETING_MS });
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("data", (data) => finish(GREETING.test(data.toString("latin1"))));
    socket.once("error", () => finish(false));
    socket.once("timeout", () => finish(false));
    socket.once("close", () => resolve(false));
  });
}
