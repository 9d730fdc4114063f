// What the restored database remembers, and how far back one must ask the provider.
import postgres from "postgres";
import type { Remembered } from "./compare.ts";

export interface Books extends Remembered {
  /** ISO 8601; the last thing that the restored books know of. */
  readonly lastKnownAt: string;
}

export async function readBooks(databaseUrl: string, provider: string): Promise<Books> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    const charges = await sql<{ ref: string }[]>`
      select provider_ref as ref from payment_attempts
      where provider = ${provider} and state = 'succeeded' and provider_ref is not null`;
    const refunds = await sql<{ ref: string }[]>`
      select provider_ref as ref from refunds
      where state = 'succeeded' and provider_ref is not null`;
    const [last] = await sql<{ at: string | null }[]>`
      select to_char(greatest(
          (select max(created_at) from orders), (select max(updated_at) from payment_attempts),
          (select max(updated_at) from refunds), (select max(at) from audit_log)
        ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;
    if (last?.at === undefined || last.at === null)
      throw new Error("the restored database is empty: is it the right one?");
    return {
      charges: new Set(charges.map(({ ref }) => ref)),
      refunds: new Set(refunds.map(({ ref }) => ref)),
      lastKnownAt: last.at,
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}
