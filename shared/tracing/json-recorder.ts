import { ROOT_CONTEXT, SamplingDecision, type SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import type { Sampler } from '@opentelemetry/sdk-trace'
import type { SpanAttributes } from './attributes.ts'
import { newSpanId, newTraceId } from './random-ids.ts'
import type { OpenSpan, Recorder, SpanEnd, SpanStart } from './recorder.ts'
import type { WritableSpan } from './span-text.ts'
import type { SpanWriter } from './span-writer.ts'

/**
 * Records spans that `SpanWriter` writes when they end. The spans of the SDK have events, links and limits, which this service does not
 * use. They allocate four times as much.
 */
export function createJsonRecorder(sampler: Sampler, writer: SpanWriter): Recorder {
  return {
    start(start) {
      const { parent } = start
      const traceId = parent?.traceId ?? newTraceId()
      if (!isRecorded(sampler, traceId, start)) return undefined
      return new WrittenSpan(writer, start, traceId)
    },
    flush: () => writer.flush(),
  }
}

/** The spans below a recorded span of this process are recorded. The sampler decides about the others. */
function isRecorded(sampler: Sampler, traceId: string, { parent, name, kind }: SpanStart): boolean {
  if (parent instanceof WrittenSpan) return true
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
  const { decision } = sampler.shouldSample(context, traceId, name, kind, {}, [])
  return decision === SamplingDecision.RECORD_AND_SAMPLED
}

class WrittenSpan implements OpenSpan, WritableSpan {
  readonly name: string
  readonly kind: SpanKind
  readonly traceId: string
  readonly spanId = newSpanId()
  readonly traceFlags = TraceFlags.SAMPLED
  readonly parentSpanId: string | undefined
  readonly startedAt: number
  readonly own: SpanAttributes | undefined
  readonly #writer: SpanWriter

  constructor(writer: SpanWriter, { name, kind, startedAt, parent, own }: SpanStart, traceId: string) {
    this.#writer = writer
    this.name = name
    this.kind = kind
    this.traceId = traceId
    this.parentSpanId = parent?.spanId
    this.startedAt = startedAt
    this.own = own
  }

  end(end: SpanEnd): void {
    this.#writer.write(this, end)
  }
}
