// The commands of `npx sira`, and what each asks of the API.
import { Command, InvalidArgumentError } from "commander";
import { type Client, createClient } from "./client.ts";
import { findCredentials, forgetCredentials, keepCredentials } from "./credentials.ts";
import { exportSale } from "./export.ts";
import { createOutput, type Output } from "./output.ts";
import { readSaleFile } from "./sale-file.ts";
import { watchSale } from "./watch.ts";

/** Simple acts of a room, each with a word of its own. */
const ACTS = [
  ["open", "open", "lets people in from now on"],
  ["pause", "pause", "lets nobody new in; who is inside goes on"],
  ["resume", "resume", "goes on after a pause"],
  ["stop", "stop", "lets nobody in and ends everybody who is inside"],
  ["sold-out", "sold_out", "says that everything is sold"],
  ["reopen", "reopen", "goes on after sold out"],
  ["close", "close", "ends the queue"],
] as const;

export function createProgram(env: NodeJS.ProcessEnv): Command {
  const program = new Command("sira")
    .description("Sıra for organizers: make a sale, watch it, steer it")
    .option("--json", "answer in JSON, for programs")
    .configureHelp({ showGlobalOptions: true });
  const output = (): Output => createOutput(program.opts<{ json?: boolean }>().json === true);
  const client = (): Client => {
    const credentials = findCredentials(env);
    if (credentials === undefined)
      throw new Error("You are not signed in: sira login --gate URL --core URL --key KEY");
    return createClient(credentials);
  };
  addSession(program, env, output);
  addMaking(program, client, output);
  addActs(program, client, output);
  program
    .command("watch <event>")
    .description("the sale, drawn anew each second; with --json one line of figures a second")
    .option("--every <ms>", "how often", whole(200, 60_000), 1_000)
    .option("--once", "only once")
    .action((event: string, options: { every: number; once?: boolean }) =>
      watchSale(client(), output(), {
        event,
        everyMs: options.every,
        once: options.once === true,
      }),
    );
  program
    .command("export <event> <what>")
    .description("orders, figures or log, as CSV (or JSON)")
    .option("-o, --output <file>", "into a file")
    .action((event: string, what: string, options: { output?: string }) =>
      exportSale(client(), output(), { event, what, file: options.output }),
    );
  return program;
}

function addSession(program: Command, env: NodeJS.ProcessEnv, output: () => Output): void {
  program
    .command("login")
    .description("keeps where the system is and your organizer key; SIRA_KEY may hold the key")
    .requiredOption("--gate <origin>", "the gate")
    .requiredOption("--core <origin>", "the core")
    .option("--key <key>", "the organizer key")
    .action(async (options: { gate: string; core: string; key?: string }) => {
      const key = options.key ?? env["SIRA_KEY"];
      if (key === undefined) throw new Error("--key is missing (or SIRA_KEY in the environment)");
      const credentials = { gate: options.gate, core: options.core, key };
      // A key that is not accepted is not kept.
      await createClient(credentials).signIn();
      const file = keepCredentials(credentials, env);
      output().show({ file }, [`Signed in; kept in ${file}`]);
    });
  program
    .command("logout")
    .description("forgets them")
    .action(() => {
      forgetCredentials(env);
      output().show({ signedIn: false }, ["Signed out."]);
    });
}

function addMaking(program: Command, client: () => Client, output: () => Output): void {
  program
    .command("create <event>")
    .description("makes or changes event and room from a file: {event: {…}, room: {…}}")
    .requiredOption("-f, --file <file>", "the sale")
    .action(async (event: string, options: { file: string }) => {
      const sale = readSaleFile(options.file);
      const api = client();
      const id = encodeURIComponent(event);
      const made: Record<string, unknown> = {};
      if (sale.event !== undefined)
        made["event"] = await api.core("PUT", `/v1/organizer/events/${id}`, sale.event);
      if (sale.room !== undefined)
        made["room"] = await api.gate("PUT", `/api/rooms/${id}`, sale.room);
      output().show(made, [`${event}: ${Object.keys(made).join(" and ")} are in place.`]);
    });
  program
    .command("room <event>")
    .description("the room's settings, phase and version")
    .action(async (event: string) => {
      const view = await client().gate("GET", `/api/rooms/${encodeURIComponent(event)}`);
      output().show(view, [JSON.stringify(view, null, 2)]);
    });
}

function addActs(program: Command, client: () => Client, output: () => Output): void {
  const room = (event: string) => `/api/rooms/${encodeURIComponent(event)}`;
  for (const [word, action, what] of ACTS) {
    program
      .command(`${word} <event>`)
      .description(what)
      .requiredOption("-r, --reason <text>", "stands in the audit log")
      .action(async (event: string, { reason }: { reason: string }) => {
        const view = await client().gate<{ phase: string }>("POST", `${room(event)}/actions`, {
          action,
          reason,
        });
        output().show(view, [`${event} is ${view.phase}.`]);
      });
  }
  const patch = async (event: string, change: object, sentence: string) => {
    const view = await client().gate("PATCH", room(event), change);
    output().show(view, [sentence]);
  };
  program
    .command("rate <event> <perMinute>")
    .description("how many are let in a minute")
    .option("--cap <n>", "how many may be inside at once", whole(1, 1_000_000))
    .requiredOption("-r, --reason <text>", "stands in the audit log")
    .action((event: string, rate: string, options: { cap?: number; reason: string }) => {
      const ratePerMinute = whole(1, 100_000)(rate);
      const activeMax = options.cap === undefined ? {} : { activeMax: options.cap };
      return patch(
        event,
        { ratePerMinute, ...activeMax, reason: options.reason },
        `${event} lets in ${ratePerMinute} a minute.`,
      );
    });
  program
    .command("notice <event> [text]")
    .description("what every waiting page shows; without a text it is taken away")
    .action((event: string, text: string | undefined) =>
      patch(event, { notice: text ?? "" }, text === undefined ? "The notice is gone." : text),
    );
  program
    .command("admit <event> <place>")
    .description("lets one place in round the line, which everybody can see counted")
    .requiredOption("-r, --reason <text>", "stands in the audit log")
    .action(async (event: string, place: string, { reason }: { reason: string }) => {
      const act = { action: "admit", place, reason };
      const view = await client().gate("POST", `${room(event)}/actions`, act);
      output().show(view, [`${place} is let in.`]);
    });
}

/** Commander's way to check a number. */
function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}.`);
  };
}
