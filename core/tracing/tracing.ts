import {
  type Attributes,
  type Context,
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Config } from "../config.ts";

/**
 * OpenTelemetry traces, sent as OTLP over HTTP where `OTEL_EXPORTER_OTLP_ENDPOINT` says so; otherwise
 * nothing is recorded and nothing is paid for it. A span carries names and numbers, never an
 * address, an argument or a header: those hold tokens and people.
 */
export type Tracing = {
  /** Runs the work inside a span; a failure is marked on it and thrown on. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** The span of a request, below the one that `traceparent` names. */
  request(
    headers: { traceparent: string | undefined },
    work: (finish: FinishRequest) => Promise<void>,
  ): Promise<void>;
  /** Sends what is still here. */
  close(): Promise<void>;
};

export type FinishRequest = (name: string, attributes: Attributes) => void;

const OFF: Tracing = {
  span: (_name, _attributes, work) => work(),
  request: (_headers, work) => work(() => {}),
  close: async () => {},
};

export function createTracing(config: Config["tracing"]): Tracing {
  if (config === undefined) return OFF;
  // One for the process, as the API means it: spans find their parents through it.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new OTLPTraceExporter({ url: `${config.endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "sira-core" }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: config.everyMs })],
  });
  const tracer = provider.getTracer("sira");
  return {
    span: (name, attributes, work) => inSpan(tracer, { name, attributes }, context.active(), work),
    request(headers, work) {
      const parent = propagation.extract(context.active(), headers);
      const span = tracer.startSpan("request", { kind: SpanKind.SERVER }, parent);
      return context.with(trace.setSpan(parent, span), async () => {
        try {
          await work((name, attributes) => {
            span.updateName(name);
            span.setAttributes(attributes);
          });
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    close: () => provider.shutdown(),
  };
}

async function inSpan<T>(
  tracer: Tracer,
  what: { name: string; attributes: Attributes },
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  const options = { kind: SpanKind.CLIENT, attributes: what.attributes };
  const span = tracer.startSpan(what.name, options, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    // The kind of failure; its sentence may quote what it failed on.
    span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
    throw error;
  } finally {
    span.end();
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");
