// A shop that is not Sıra's, on an origin of its own, behind Sıra's queue: it knows Express and
// nothing of seats, and lets nobody book whose turn it is not. Its `main.ts` starts it.
import express, { type Express, type Response } from "express";
import { requireAdmission } from "../../shared/admission/express.ts";
import { createGateCalls, GateUnavailable } from "../../shared/admission/gate-calls.ts";
import { type Admission, createAdmissionVerifier } from "../../shared/admission/verifier.ts";
import type { KeySet } from "../../shared/token/keys.ts";
import { createBookings } from "./bookings.ts";
import { bookedPage, bookPage, messagePage } from "./pages.ts";
import { createSessions } from "./sessions.ts";

export interface ShopOptions {
  readonly gate: string;
  readonly origin: string;
  readonly event: string;
  readonly keys: KeySet;
  readonly stock: number;
}

const COOKIE = "shop-session";
const PER_VISIT_MAX = 4;

export async function createShop(options: ShopOptions): Promise<Express> {
  const { gate, origin, event, keys } = options;
  const verifier = await createAdmissionVerifier({ gate, origin });
  const calls = createGateCalls({ gate, issuer: origin, keys });
  const sessions = createSessions();
  const bookings = createBookings(options.stock);
  const queue = `${gate}/e/${event}`;
  const app = express().disable("x-powered-by");

  // 1. The queue sends its visitor here with a single-use code, which our server changes.
  app.get("/enter", async (request, response) => {
    const code = request.query["sira_code"];
    const exchanged = typeof code === "string" ? await calls.exchange(event, code) : undefined;
    if (exchanged === undefined) {
      page(response, 403, messagePage("This link has been used or is too old.", queue));
      return;
    }
    const verdict = await verifier.verify(
      { method: "GET", path: "/enter", authorization: `Bearer ${exchanged.token}`, dpop: null },
      event,
    );
    if (!verdict.ok) throw new Error(`the gate's own admission: ${verdict.error.reason}`);
    const secure = origin.startsWith("https:");
    response.cookie(COOKIE, sessions.open(verdict.value), {
      ...{ httpOnly: true, sameSite: "lax", secure, expires: verdict.value.expiresAt },
    });
    // The code leaves the address bar with this redirect.
    response.redirect(303, "/book");
  });

  const visitor = (cookies: string | undefined): Admission | undefined =>
    sessions.find(new RegExp(`${COOKIE}=([\\w-]+)`).exec(cookies ?? "")?.[1], new Date());

  // 2. Whoever has no admission is sent to the queue; everybody else may book.
  app.get("/book", (request, response) => {
    const admission = visitor(request.headers.cookie);
    if (admission === undefined) response.redirect(303, queue);
    else page(response, 200, bookPage(bookings.left(), admission.expiresAt));
  });
  app.post("/book", express.urlencoded({ extended: false }), async (request, response) => {
    const admission = visitor(request.headers.cookie);
    if (admission === undefined) {
      page(response, 401, messagePage("It is not your turn, or your time is over.", queue));
      return;
    }
    const quantity = readQuantity(request.body?.quantity);
    if (quantity === undefined) {
      page(response, 422, messagePage(`quantity must be from 1 to ${PER_VISIT_MAX}.`, "/book"));
      return;
    }
    const total = bookings.book(admission.place, quantity);
    if (total === undefined) {
      page(response, 409, messagePage(`Only ${bookings.left()} are left.`, "/book"));
      return;
    }
    // 3. Done: the slot is free at once. Should the gate be away, the slot ends by itself.
    sessions.close(event, admission.place);
    await calls.release(event, admission).catch(logUnavailable);
    page(response, 200, bookedPage(total));
  });

  // A page of a room with `binding: none`, or a client that proves its key, may call this directly.
  const eventOf = (path: string) => (path === "/api/book" ? event : undefined);
  app.use("/api/book", requireAdmission(verifier, eventOf));
  app.post("/api/book", express.json(), (request, response) => {
    const quantity = readQuantity(request.body?.quantity);
    const admission: Admission = response.locals["admission"];
    const total = quantity === undefined ? undefined : bookings.book(admission.place, quantity);
    if (quantity === undefined)
      response.status(422).json({ error: `quantity must be from 1 to ${PER_VISIT_MAX}` });
    else if (total === undefined) response.status(409).json({ left: bookings.left() });
    else response.status(201).json({ booked: total });
  });

  // What the gate asks of a service that is its CORE_ORIGIN: our public key, and to hear of ends.
  app.get("/.well-known/jwks.json", (_request, response) => {
    response.json(keys.jwks);
  });
  app.post("/v1/admissions/:event/:place/close", async (request, response) => {
    const { authorization } = request.headers;
    if (await calls.isFromGate(authorization, request.params.event)) {
      sessions.close(request.params.event, request.params.place);
      response.status(204).end();
    } else response.status(401).end();
  });

  app.use(((error: unknown, _request, response, next) => {
    if (response.headersSent) next(error);
    else if (error instanceof GateUnavailable)
      page(response.set("retry-after", "2"), 503, messagePage("Please try again.", queue));
    else page(response, isOfClient(error) ? 400 : 500, messagePage("That did not work.", queue));
  }) satisfies express.ErrorRequestHandler);
  return app;
}

function readQuantity(value: unknown): number | undefined {
  const quantity = Number(value);
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= PER_VISIT_MAX
    ? quantity
    : undefined;
}

function page(response: Response, status: number, html: string): void {
  response.status(status).type("html").set("cache-control", "no-store").send(html);
}

function isOfClient(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  return status >= 400 && status < 500;
}

function logUnavailable(error: unknown): void {
  console.warn(`the slot was not released: ${String(error)}`);
}
