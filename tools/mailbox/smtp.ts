// An SMTP server that keeps what it is given and passes nothing on. Some addresses answer as real
// servers sometimes do: `…@refused.test` 550, `…@busy.test` 451, and `…@cut.test` keeps the mail and
// drops the connection before its 250.
import { createServer, type Server, type Socket } from "node:net";

const LINE_BYTES_MAX = 4_096;
const MAIL_BYTES_MAX = 10 * 1024 * 1024;
const RECIPIENTS_MAX = 100;
const IDLE_MS = 60_000;

export type Envelope = {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
};

const addressOf = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? "";

export function createSmtpServer(keep: (mail: Envelope) => void): Server {
  return createServer((socket) => {
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    talk(socket, keep);
  });
}

function talk(socket: Socket, keep: (mail: Envelope) => void): void {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let buffered = "";
  let from = "";
  let to: string[] = [];
  let body: string[] | undefined;
  let bodyBytes = 0;
  const reset = (): void => {
    from = "";
    to = [];
    body = undefined;
    bodyBytes = 0;
  };

  /** Without an answer where the connection is cut on purpose. */
  const endOfMail = (lines: readonly string[]): string | undefined => {
    keep({ from, to, source: `${lines.join("\r\n")}\r\n` });
    const isCut = to.some((address) => address.endsWith("@cut.test"));
    reset();
    if (!isCut) return "250 kept in the development mailbox";
    socket.destroy();
    return undefined;
  };

  const bodyLine = (line: string, lines: string[]): string | undefined => {
    if (line === ".") return endOfMail(lines);
    bodyBytes += line.length + 2;
    if (bodyBytes > MAIL_BYTES_MAX) socket.destroy();
    // RFC 5321 §4.5.2: a leading dot was doubled.
    else lines.push(line.startsWith(".") ? line.slice(1) : line);
    return undefined;
  };

  const recipient = (address: string): string => {
    if (address.endsWith("@refused.test")) return `550 ${address}: no such person`;
    if (address.endsWith("@busy.test")) return `451 ${address} is busy, try again later`;
    if (to.length >= RECIPIENTS_MAX) return "452 too many recipients";
    to.push(address);
    return "250 ok";
  };

  const command = (line: string): string => {
    switch (line.slice(0, 4).toUpperCase()) {
      case "EHLO":
        return "250-mailbox\r\n250-8BITMIME\r\n250 SMTPUTF8";
      case "HELO":
      case "NOOP":
        return "250 ok";
      case "RSET":
        reset();
        return "250 ok";
      case "MAIL":
        reset();
        from = addressOf(line);
        return "250 ok";
      case "RCPT":
        return recipient(addressOf(line));
      case "DATA":
        if (to.length === 0) return "503 no recipient";
        body = [];
        return "354 go on";
      case "QUIT":
        socket.end("221 bye\r\n");
        return "";
      default:
        return "502 not understood";
    }
  };

  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    buffered += chunk;
    for (;;) {
      const end = buffered.indexOf("\r\n");
      if (end < 0) break;
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      const answer = body === undefined ? command(line) : bodyLine(line, body);
      if (answer) say(answer);
    }
    if (buffered.length > LINE_BYTES_MAX && body === undefined) socket.destroy();
  });
  say("220 development mailbox: delivers nothing");
}
