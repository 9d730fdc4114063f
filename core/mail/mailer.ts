import { createTransport } from "nodemailer";
import type { Config } from "../config.ts";

/**
 * The SMTP server. A mail is delivered once the server has said 250; everything else is either its
 * lasting refusal of this mail ({@link MailRefused}) or trouble that passes.
 */

const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
/** Below the time after which the queue believes a worker dead, so no two send at once. */
export const MAIL_DEADLINE_MS = 20_000;
const CONNECTIONS_MAX = 4;
const IDLE_MS = 30_000;

export type Attachment = {
  filename: string;
  content: string | Buffer;
  contentType: string;
  /** Shown inside the HTML part as `cid:…`. */
  cid?: string;
};

export type OutgoingMail = {
  /** With angle brackets. Two copies of one mail have the same. */
  messageId: string;
  to: { name: string; address: string };
  subject: string;
  language: string;
  text: string;
  html: string;
  attachments: readonly Attachment[];
  /** Of the request that the mail follows from, so that one id leads from a page to its mail. */
  requestId?: string;
};

export type Mailer = {
  /** What stands after the `@` of a Message-ID. */
  readonly domain: string;
  /** @throws {MailRefused} when trying again cannot help. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

export class MailRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MailRefused";
  }
}

/** A 5xx about this recipient or this message; a 5xx at sign-in is about us and may pass. */
function isLasting(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error)) return false;
  const { responseCode } = error;
  const command = "command" in error ? String(error.command) : "";
  const aboutThisMail = /^(MAIL FROM|RCPT TO|DATA)/.test(command);
  return typeof responseCode === "number" && Math.floor(responseCode / 100) === 5 && aboutThisMail;
}

const domainOf = (from: string): string => /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? "localhost";

/** `undefined` where no SMTP server is configured, which production does not allow. */
export function createMailer(config: Pick<Config, "mail">): Mailer | undefined {
  const { smtpUrl, from } = config.mail;
  if (smtpUrl === undefined) return undefined;
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    // The library's own repeats would send a second copy that nobody has written down.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Without a listener an error of an idle connection would end the process.
  transport.on("error", () => undefined);
  return {
    domain: domainOf(from),
    async send(mail) {
      try {
        await transport.sendMail({
          messageId: mail.messageId,
          from,
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          attachments: mail.attachments.map((one) => ({ ...one })),
          headers: {
            "Auto-Submitted": "auto-generated",
            "Content-Language": mail.language,
            ...(mail.requestId === undefined ? {} : { "X-Request-Id": mail.requestId }),
          },
          signal: AbortSignal.timeout(MAIL_DEADLINE_MS),
        });
      } catch (error) {
        if (isLasting(error) && error instanceof Error) throw new MailRefused(error.message);
        throw error;
      }
    },
    close: () => transport.close(),
  };
}
