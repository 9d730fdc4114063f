// The provider and the mail server: whom a sale needs beside itself.
import { createTransport } from "nodemailer";
import Stripe from "stripe";
import type { Config } from "../../core/config.ts";
import { isDevelopmentMailbox } from "../../core/mail/mailbox-check.ts";
import { bad, type Finding, good, look } from "./finding.ts";

const TIMEOUT_MS = 5_000;

export async function checkProvider(
  payments: Config["payments"],
  isProduction: boolean,
): Promise<Finding[]> {
  if (payments.provider === "stripe") {
    const stripe = new Stripe(payments.secretKey, { timeout: TIMEOUT_MS, maxNetworkRetries: 0 });
    await stripe.balance.retrieve();
    const isTest = payments.secretKey.startsWith("sk_test_");
    if (isTest && isProduction)
      return [
        bad("provider", "Stripe's test key: no money moves", "set the live STRIPE_SECRET_KEY"),
      ];
    return [good("provider", `Stripe accepts the ${isTest ? "test" : "live"} key`)];
  }
  const response = await fetch(`${payments.origin}/healthz`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok)
    return [bad("provider", `the simulator answered ${response.status}`, "start it again")];
  const says = "the payment simulator: no money moves";
  const remedy = "PAYMENT_PROVIDER=stripe with its keys, for a real sale";
  return [isProduction ? bad("provider", says, remedy) : look("provider", says, remedy)];
}

export async function checkMail(
  smtpUrl: string | undefined,
  isProduction: boolean,
): Promise<Finding[]> {
  if (smtpUrl === undefined)
    return [bad("mail", "no SMTP_URL: nobody is sent a ticket", "set SMTP_URL and MAIL_FROM")];
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
  if (!(await isDevelopmentMailbox(smtpUrl))) return [good("mail", "the SMTP server accepts us")];
  const says = "the development mailbox: nothing is delivered";
  const remedy = "name a real server in SMTP_URL";
  return [isProduction ? bad("mail", says, remedy) : look("mail", says, remedy)];
}
