import { AsyncLocalStorage } from 'node:async_hooks'
import { ProxyTracerProvider, SpanKind, trace } from '@opentelemetry/api'
import { attributesOfPayload, type SpanAttributes } from './attributes.ts'
import { Recorder } from './recorder.ts'
import { Segment } from './segment.ts'
import { readTraceparent } from './traceparent.ts'

/** A payload or an item that names the span that caused it. Absent in data of earlier versions and if nothing is recorded. */
export interface Traced {
  traceparent?: string | undefined
}

/** Creates spans (docs/tracing.md). Code calls it only behind a check of `tracing`, which is undefined while tracing is off. */
export interface Tracing {
  /**
   * Runs work in a span of the current trace. Without a trace it only runs the work. The work stays in the segment of its caller: give the
   * segment of the span to `carry` or `bind` if the work causes other work.
   */
  span<Result>(
    name: string,
    kind: 'internal' | 'client',
    attributes: SpanAttributes | undefined,
    work: (segment: Segment | undefined) => Promise<Result>,
  ): Promise<Result>
  /**
   * Runs a request whose trace is not known yet. Nothing is recorded unless `begin` or `join` is called before its end. `describe` sets the
   * attributes after the work.
   */
  request(name: string, work: () => Promise<void>, describe: (segment: Segment) => void): Promise<void>
  /** Begins the trace of the current request, or joins the trace of the caller. Call it only for authenticated operators. */
  begin(traceparent: unknown): void
  /** Joins the current request to a stored trace. Records nothing if the stored value is null. */
  join(traceparent: string | null | undefined): void
  /** Runs work for items, with one span in the trace of each item. Each item gets the `traceparent` of its own span. */
  consume<Result>(
    name: string,
    attributes: SpanAttributes,
    items: readonly Traced[],
    work: () => Promise<Result>,
  ): Promise<Result>
  /**
   * Returns the payload with the `traceparent` of the segment, by default the current one. A payload that has one, and a list of items, are
   * unchanged.
   */
  carry<Payload>(payload: Payload, segment?: Segment): Payload
  /** Makes a function run in the segment, by default the current one, also if code of another trace calls it. */
  bind<Argument, Result>(
    segment: Segment | undefined,
    work: (argument: Argument) => Result,
  ): (argument: Argument) => Result
  current(): Segment | undefined
  /** Runs work that several callers share. Its spans are in the trace of each. */
  within<Result>(segments: readonly (Segment | undefined)[], work: () => Result): Result
  traceparent(): string | undefined
  /** Returns `{traceId}` for log lines and error bodies, if the current work is recorded. */
  fields(): { traceId?: string }
}

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }

function createTracing(recorder: Recorder): Tracing {
  const scope = new AsyncLocalStorage<Segment | undefined>()

  const runIn = <Result>(segment: Segment, work: () => Promise<Result>) =>
    endAfter(segment, () => scope.run(segment, work))

  return {
    span(name, kind, attributes, work) {
      const segment = scope.getStore()?.child({ name, kind: kinds[kind], attributes })
      return segment ? endAfter(segment, work) : work(undefined)
    },
    async request(name, work, describe) {
      const segment = new Segment(recorder, { name, kind: SpanKind.SERVER })
      try {
        await scope.run(segment, work)
        describe(segment)
      } finally {
        segment.start([]) // nothing is recorded if the trace is still not known
        segment.end()
      }
    },
    begin: (traceparent) => scope.getStore()?.root.start([readTraceparent(traceparent)]),
    join(traceparent) {
      const parent = readTraceparent(traceparent)
      scope.getStore()?.root.start(parent ? [parent] : [])
    },
    consume(name, attributes, items, work) {
      const segment = new Segment(recorder, { name, kind: SpanKind.CONSUMER, attributes })
      for (const item of items) {
        const parent = readTraceparent(item.traceparent)
        if (parent) item.traceparent = segment.startSpan(parent, attributesOfPayload(item))
      }
      return segment.isUndecided ? scope.run(undefined, work) : runIn(segment, work)
    },
    carry(payload, segment = scope.getStore()) {
      if (typeof payload !== 'object' || payload === null || 'items' in payload) return payload
      if ('traceparent' in payload && payload.traceparent) return payload
      const traceparent = segment?.traceparent
      if (traceparent === undefined) return payload
      return { ...payload, traceparent }
    },
    bind(segment = scope.getStore(), work) {
      return (argument) => scope.run(segment, work, argument)
    },
    current: () => scope.getStore(),
    within: (segments, work) => scope.run(Segment.join(recorder, segments), work),
    traceparent: () => scope.getStore()?.traceparent,
    fields() {
      const traceId = scope.getStore()?.traceId
      return traceId === undefined ? {} : { traceId }
    },
  }
}

/** Runs the work of a segment in the async context of the caller, and ends the segment. */
async function endAfter<Result>(segment: Segment, work: (segment: Segment) => Promise<Result>): Promise<Result> {
  try {
    return await work(segment)
  } catch (error) {
    segment.fail(error)
    throw error
  } finally {
    segment.end()
  }
}

/** Returns a recorder for the SDK of sdk.ts, or for the one that the operator registered with `--import`. */
function createRecorder(): Recorder | undefined {
  const provider = trace.getTracerProvider()
  const isRegistered = !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('trustwright')
  return isRegistered ? new Recorder(trace.getTracer('trustwright')) : undefined
}

const recorder = createRecorder()

/** Undefined while tracing is off, so that each seam costs one comparison. Entry points load the SDK before this file (load.ts). */
export const tracing: Tracing | undefined = recorder && createTracing(recorder)
