import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { allowedAttributes } from './attributes.ts'
import type { OpenSpan, Recorder, SpanEnd, SpanStart } from './recorder.ts'

/** Records spans with a tracer of `@opentelemetry/api`: that of another SDK, or the one that exports protobuf. */
export function createApiRecorder(tracer: Tracer): Recorder {
  return {
    start({ name, kind, startedAt: startTime, parent, own, shared }) {
      const attributes = { ...(shared && allowedAttributes(shared)), ...(own && allowedAttributes(own)) }
      const span = tracer.startSpan(name, { kind, startTime, attributes }, contextOf(parent))
      return span.isRecording() ? new ApiSpan(span) : undefined
    },
  }
}

class ApiSpan implements OpenSpan {
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

function contextOf(parent: SpanStart['parent']): Context {
  if (!parent) return ROOT_CONTEXT
  return parent instanceof ApiSpan
    ? trace.setSpan(ROOT_CONTEXT, parent.span)
    : trace.setSpanContext(ROOT_CONTEXT, parent)
}
