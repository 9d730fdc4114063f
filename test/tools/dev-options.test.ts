import { createServer } from "node:net";
import { expect, test } from "vitest";
import { findTakenPorts, readDevOptions } from "../../tools/demo/options.ts";

test("flags and ports have defaults that the documents name", () => {
  expect(readDevOptions([], {})).toEqual({
    fresh: false,
    crowd: 150,
    seats: 1_000,
    opensInMs: undefined,
    ports: { edge: 8787, core: 8788, psp: 8789, mailbox: 8790 },
  });
});

test("flags and variables are taken as given", () => {
  const args = ["--fresh", "--crowd", "0", "--seats", "60000", "--opens-in", "30"];
  expect(readDevOptions(args, { CORE_PORT: "9001" })).toMatchObject({
    fresh: true,
    crowd: 0,
    seats: 60_000,
    opensInMs: 30_000,
    ports: { core: 9001 },
  });
});

test("what makes no sense is refused by name", () => {
  expect(() => readDevOptions(["--crowd", "many"], {})).toThrow("--crowd must be a whole number");
  expect(() => readDevOptions([], { EDGE_PORT: "70000" })).toThrow("EDGE_PORT");
  expect(() => readDevOptions(["--speed"], {})).toThrow("--speed");
});

test("a taken port is named, with the way to another", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  try {
    const taken = await findTakenPorts({ edge: port, core: 0, psp: 0, mailbox: 0 });
    expect(taken).toHaveLength(1);
    expect(taken[0]).toContain(`Port ${port} (gate) is taken`);
    expect(taken[0]).toContain("EDGE_PORT=");
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
