import type { Outbound } from "./outbound.ts";

/** The guarded way out in the form of a `fetch`, for a library that asks for one; GET alone. */
export const fetchOwn =
  (outbound: Outbound) =>
  async (url: string, init: { headers: Headers }): Promise<Response> => {
    const answer = await outbound.sendOwn({
      url,
      method: "GET",
      headers: Object.fromEntries(init.headers),
    });
    if (!answer.ok) throw new Error(answer.error);
    const { status, body } = answer.value;
    return new Response(Uint8Array.from(body), { status });
  };
