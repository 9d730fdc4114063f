// A load generator that costs little itself: requests made beforehand, one at a time on each of many
// connections, answers read only as far as their length.
import { connect, type Socket } from "node:net";

export type Blasted = {
  readonly perSecond: number;
  readonly answers: ReadonlyMap<number, number>;
};

const LATE_MS = 5_000;
const LENGTH = /content-length: *(\d+)/i;

/** `next` gives the next request, or undefined when there is none left. */
export async function blast(options: {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  readonly next: () => Buffer | undefined;
}): Promise<Blasted> {
  const answers = new Map<number, number>();
  const startedAt = performance.now();
  const endsAt = startedAt + options.ms;
  let done = 0;
  const open = new Set<Socket>();
  // A call that is never answered must not keep the others waiting for the end.
  const late = setTimeout(() => {
    for (const socket of open) socket.destroy();
  }, options.ms + LATE_MS);
  const one = async (): Promise<void> => {
    const socket = connect({ port: options.port, host: "127.0.0.1" });
    socket.setNoDelay(true);
    open.add(socket);
    const reader = createReader(socket);
    while (performance.now() < endsAt) {
      const request = options.next();
      if (request === undefined) break;
      socket.write(request);
      const status = await reader();
      if (status === 0) break;
      answers.set(status, (answers.get(status) ?? 0) + 1);
      done += 1;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: options.connections }, one));
  clearTimeout(late);
  return { perSecond: (done * 1_000) / (performance.now() - startedAt), answers };
}

/** Each call waits for one whole answer and gives its status; 0: the connection has ended. */
function createReader(socket: Socket): () => Promise<number> {
  let buffer = "";
  let waiting: ((status: number) => void) | undefined;
  const look = (): void => {
    const end = buffer.indexOf("\r\n\r\n");
    if (end < 0 || waiting === undefined) return;
    const head = buffer.slice(0, end);
    const length = LENGTH.exec(head)?.[1];
    let total = end + 4 + Number(length ?? 0);
    if (length === undefined && /transfer-encoding: *chunked/i.test(head)) {
      const last = buffer.indexOf("0\r\n\r\n", end + 4);
      if (last < 0) return;
      total = last + 5;
    }
    if (buffer.length < total) return;
    buffer = buffer.slice(total);
    const tell = waiting;
    waiting = undefined;
    tell(Number(head.slice(9, 12)));
  };
  const over = (): void => {
    waiting?.(0);
    waiting = undefined;
  };
  // Answers are counted in bytes, so each byte must stay one character.
  socket.on("data", (bytes) => {
    buffer += bytes.toString("latin1");
    look();
  });
  socket.on("close", over);
  socket.on("error", over);
  return () =>
    new Promise((resolve) => {
      if (socket.destroyed) return resolve(0);
      waiting = resolve;
      return look();
    });
}

export function makeRequest(options: {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}): Buffer {
  const body = options.body === undefined ? "" : JSON.stringify(options.body);
  const headers = {
    host: "127.0.0.1",
    ...(body === "" ? {} : { "content-type": "application/json" }),
    "content-length": String(Buffer.byteLength(body)),
    ...options.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${options.method} ${options.path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
