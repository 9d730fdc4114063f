import net from "node:net";
import postgres from "postgres";
import { sqlText, UNKNOWN_OID } from "./args.ts";
import type { SqlArg } from "./db.ts";

/**
 * One connection, one statement at a time.
 *
 * The driver (3.4.9) is given a single connection and a socket that we made, because it can neither
 * drop one stuck connection nor survive every way of losing one: a query on a black-holed socket
 * never ends, a server that closes during start-up is redialled in a tight loop, and a socket that
 * cannot be made leaves later queries waiting for ever. So a lane that failed in any way but an SQL
 * error is thrown away whole, socket first, and a new one is made for the next statement.
 */
export type Lane = {
  /** Connects and runs nothing; an error means that nothing was sent. */
  open(): Promise<void>;
  /** Rejects as the driver does; see failures.ts. */
  run(text: string, args: readonly SqlArg[]): Promise<Record<string, unknown>[]>;
  /** The socket has closed, or the lane was destroyed. */
  dead(): boolean;
  destroy(): void;
};

export type LaneOptions = {
  url: string;
  connectTimeoutMs: number;
  /** Enforced by the server, below the client's deadline. */
  statementTimeoutMs: number;
  applicationName: string;
};

/** Int8 counts and ids of ours stay far below 2^53; one that does not is a bug, not a rounding. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`an int8 beyond 2^53: ${text}`);
  return value;
}

function targetOf(url: string): net.NetConnectOpts & { hostName: string } {
  const parsed = new URL(url);
  const socketDirectory = parsed.searchParams.get("host");
  const port = Number(parsed.port || parsed.searchParams.get("port") || 5432);
  if (socketDirectory?.startsWith("/"))
    return { path: `${socketDirectory}/.s.PGSQL.${port}`, hostName: "localhost" };
  const host = parsed.hostname.replace(/^\[|\]$/g, "") || "127.0.0.1";
  return { host, port, hostName: host };
}

function dial(options: LaneOptions): Promise<net.Socket> {
  const { hostName, ...target } = targetOf(options.url);
  const { promise, resolve, reject } = Promise.withResolvers<net.Socket>();
  const socket = net.connect({ ...target, noDelay: true, keepAlive: true });
  // The driver reads these for TLS: the name to check the certificate against.
  Object.assign(socket, { host: hostName });
  const timer = setTimeout(
    () => socket.destroy(new Error("connect timed out")),
    options.connectTimeoutMs,
  );
  socket.once("error", reject);
  socket.once("connect", () => {
    clearTimeout(timer);
    socket.off("error", reject);
    resolve(socket);
  });
  socket.once("close", () => clearTimeout(timer));
  return promise;
}

export function createLane(options: LaneOptions): Lane {
  let socket: net.Socket | undefined;
  let isDead = false;

  const die = () => {
    isDead = true;
    socket?.destroy();
  };

  /** Called once: a lane never dials twice, so a start-up that the server closes cannot loop. */
  const socketFor = async (): Promise<net.Socket> => {
    if (socket || isDead) throw new Error("the server closed the connection at its start");
    const made = await dial(options);
    socket = made;
    made.once("close", () => {
      isDead = true;
    });
    if (isDead) {
      made.destroy();
      throw new Error("the lane was dropped while it connected");
    }
    return made;
  };

  // The driver knows `socket` at run time and not in its types.
  const driverOptions = {
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: Math.ceil(options.connectTimeoutMs / 1000),
    backoff: false,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName,
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
      // A backend whose client has gone stops by itself instead of finishing for nobody.
      client_connection_check_interval: 1_000,
    },
    types: {
      int8: { to: 20, from: [20], serialize: String, parse: parseInt8 },
    },
    socket: socketFor,
  };
  const sql = postgres(options.url, driverOptions);

  const run = async (text: string, args: readonly SqlArg[]) => {
    const parameters = args.map((arg) => {
      const value = sqlText(arg);
      return value === null ? null : sql.typed(value, UNKNOWN_OID);
    });
    return [...(await sql.unsafe<Record<string, unknown>[]>(text, parameters, { prepare: true }))];
  };

  return {
    async open() {
      await run("select 1 where $1 = '1'", ["1"]);
    },
    run,
    dead: () => isDead,
    destroy() {
      die();
      // Rejects whatever the driver still waits for; its own socket handling has nothing left.
      sql.end({ timeout: 0 }).catch(() => undefined);
    },
  };
}
