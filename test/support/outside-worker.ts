// Asks an address by the network for machines outside, and by the gate's own, and says what came.
type Network = { fetch(url: string): Promise<Response> };

const ask = async (network: Network, url: string): Promise<string> => {
  try {
    return String((await network.fetch(url)).status);
  } catch {
    return "not reached";
  }
};

export default {
  async fetch(request: Request, env: { OUTBOUND: Network }): Promise<Response> {
    const url = new URL(request.url).searchParams.get("url") ?? "";
    const own = { fetch: (asked: string) => fetch(asked) };
    return Response.json({ outside: await ask(env.OUTBOUND, url), own: await ask(own, url) });
  },
};

/** Configurations name at least one object; nobody calls this one. */
export class Nobody {}
