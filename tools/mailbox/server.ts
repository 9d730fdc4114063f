// The development mailbox: SMTP in, a web view out, both on the loopback address alone.
import type { AddressInfo, Server } from "node:net";
import { serve } from "@hono/node-server";
import { createMailboxApp } from "./app.ts";
import { decodeWords, type Part, readMail } from "./mime.ts";
import { createSmtpServer } from "./smtp.ts";

const HOST = "127.0.0.1";
const MAILS_KEPT_MAX = 1_000;

export type KeptMail = {
  readonly id: number;
  readonly at: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly messageId: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly parts: readonly Part[];
  readonly source: string;
};

export type Mailbox = {
  /** Of the web view. */
  readonly origin: string;
  readonly smtpUrl: string;
  mails(): readonly KeptMail[];
  clear(): void;
  stop(): Promise<void>;
};

export async function startMailbox(options: {
  readonly port: number;
  readonly smtpPort: number;
}): Promise<Mailbox> {
  let kept: KeptMail[] = [];
  let last = 0;
  const smtp = createSmtpServer(({ from, to, source }) => {
    const { headers, parts } = readMail(source);
    last += 1;
    kept.push({
      id: last,
      at: new Date().toISOString(),
      from,
      to,
      subject: decodeWords(headers.get("subject") ?? ""),
      messageId: headers.get("message-id") ?? "",
      headers,
      parts,
      source,
    });
    if (kept.length > MAILS_KEPT_MAX) kept = kept.slice(-MAILS_KEPT_MAX);
  });
  const mails = (): readonly KeptMail[] => kept;
  const clear = (): void => {
    kept = [];
  };
  const smtpPort = await listen(smtp, options.smtpPort);
  const app = createMailboxApp(mails, clear);
  const { promise, resolve } = Promise.withResolvers<number>();
  const web = serve({ fetch: app.fetch, hostname: HOST, port: options.port }, ({ port }) =>
    resolve(port),
  );
  return {
    origin: `http://${HOST}:${await promise}`,
    smtpUrl: `smtp://${HOST}:${smtpPort}`,
    mails,
    clear,
    async stop() {
      smtp.close();
      web.close();
      if ("closeAllConnections" in web) web.closeAllConnections();
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen(port, HOST, () => {
    const address = server.address() as AddressInfo;
    resolve(address.port);
  });
  return promise;
}
