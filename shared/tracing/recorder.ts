import type { SpanContext, SpanKind } from '@opentelemetry/api'
import type { SpanAttributes } from './attributes.ts'

/** A span that has not ended. Its ids are those of the parent of its children. */
export interface OpenSpan extends SpanContext {
  end(end: SpanEnd): void
}

export interface SpanStart {
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

export interface SpanEnd {
  endedAt: number
  shared: SpanAttributes | undefined
  isFailed: boolean
}

/** Records spans. Leaves out attributes that are not allowed. */
export interface Recorder {
  /** Returns undefined if the sampler leaves the span out. */
  start(start: SpanStart): OpenSpan | undefined
  /** Sends what is recorded. */
  flush?(): Promise<void>
}

let registered: Recorder | undefined

/** Makes `tracing` use a recorder. Call it before tracing.ts is loaded. */
export function registerRecorder(recorder: Recorder): void {
  registered = recorder
}

export function findRecorder(): Recorder | undefined {
  return registered
}
