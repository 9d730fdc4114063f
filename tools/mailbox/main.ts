// `node tools/mailbox/main.ts`: keeps every mail of a development system and shows it in a browser.
import { startMailbox } from "./server.ts";

if (process.env["NODE_ENV"] === "production") {
  console.error("The mailbox delivers nothing, so it does not run in production. Set SMTP_URL.");
  process.exit(1);
}

const mailbox = await startMailbox({
  port: Number(process.env["MAILBOX_PORT"] ?? 8790),
  smtpPort: Number(process.env["MAILBOX_SMTP_PORT"] ?? 8791),
});
console.log(`Mails to ${mailbox.smtpUrl} are shown at ${mailbox.origin}/`);

const stop = (): void => void mailbox.stop().then(() => process.exit(0));
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
