// The least that a Worker can do: what a join and a status are measured against.
export default {
  fetch: (): Response =>
    new Response('{"ok":true}', { headers: { "content-type": "application/json" } }),
};

/** Configurations name at least one object; nobody calls this one. */
export class Nobody {}
