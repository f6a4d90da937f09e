import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { allowedAttributes, type SpanAttributes } from './attributes.ts'

interface SpanStart {
  name: string
  kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  startedAt: number
  /** Absent for the first span of a trace. */
  parent: SpanContext | undefined
  /** Attributes of this span. */
  own: SpanAttributes | undefined
  /** Attributes of all spans of the work, as far as they are known. `end` gets all of them. */
  shared: SpanAttributes | undefined
}

interface SpanEnd {
  /** Milliseconds since 1970, with fractions. */
  endedAt: number
  shared: SpanAttributes | undefined
  isFailed: boolean
}

/** Records spans with a tracer of `@opentelemetry/api`. Leaves out attributes that are not allowed. */
export class Recorder {
  readonly #tracer: Tracer

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** Returns undefined if the sampler leaves the span out. */
  start({ name, kind, startedAt: startTime, parent, own, shared }: SpanStart): OpenSpan | undefined {
    const attributes = { ...(shared && allowedAttributes(shared)), ...(own && allowedAttributes(own)) }
    const span = this.#tracer.startSpan(name, { kind, startTime, attributes }, contextOf(parent))
    return span.isRecording() ? new OpenSpan(span) : undefined
  }
}

/** A span that has not ended. Its ids are those of the parent of its children. */
export class OpenSpan implements SpanContext {
  readonly span: Span
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number

  constructor(span: Span) {
    this.span = span
    const { traceId, spanId, traceFlags } = span.spanContext()
    this.traceId = traceId
    this.spanId = spanId
    this.traceFlags = traceFlags
  }

  end({ endedAt, shared, isFailed }: SpanEnd): void {
    if (shared) this.span.setAttributes(allowedAttributes(shared))
    if (isFailed) this.span.setStatus({ code: SpanStatusCode.ERROR })
    this.span.end(endedAt)
  }
}

function contextOf(parent: SpanContext | undefined): Context {
  if (!parent) return ROOT_CONTEXT
  return parent instanceof OpenSpan
    ? trace.setSpan(ROOT_CONTEXT, parent.span)
    : trace.setSpanContext(ROOT_CONTEXT, parent)
}
