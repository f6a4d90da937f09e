import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { findProblem } from '../errors.ts'
import { allowedAttributes, type SpanAttributes } from './attributes.ts'
import { traceparentOf } from './traceparent.ts'

export interface SegmentOptions {
  name: string
  kind: SpanKind
  attributes?: SpanAttributes | undefined
}

/** Maximum segments that wait for the trace of a request. Later ones are left out. */
const maxWaiting = 50

const epochMs = () => performance.timeOrigin + performance.now()

/**
 * A piece of work with one span in each trace that it belongs to. A batch belongs to several traces. The trace of a wallet's request is
 * known only when its offer or session is read. Until then its segments wait, and no span exists.
 */
export class Segment {
  /** The segment of the request that decides about the trace. */
  readonly root: Segment
  readonly #tracer: Tracer
  readonly #options: SegmentOptions
  readonly #startedAt = epochMs()
  #attributes: Attributes | undefined
  /** Undefined until the trace is known. Empty if nothing is recorded. */
  #spans: Span[] | undefined
  #waiting: Segment[] = []
  #count = 0
  #endedAt: number | undefined
  #isFailed = false

  constructor(tracer: Tracer, options: SegmentOptions, root?: Segment) {
    this.#tracer = tracer
    this.#options = options
    this.#attributes = options.attributes && allowedAttributes(options.attributes)
    this.root = root ?? this
  }

  /** Returns a segment without spans of its own. Its children have a span below each span of the given segments. */
  static join(tracer: Tracer, segments: readonly (Segment | undefined)[]): Segment {
    const joined = new Segment(tracer, { name: 'joined', kind: SpanKind.INTERNAL })
    const known = [...new Set(segments)].filter((segment) => segment !== undefined)
    joined.#spans = known.flatMap((segment) => segment.#spans ?? [])
    return joined
  }

  get isUndecided(): boolean {
    return this.#spans === undefined
  }

  /** Creates one span below each parent, and starts the segments that wait. Does nothing if the trace is known already. */
  start(parents: readonly Context[]): void {
    if (this.#spans !== undefined) return
    this.#spans = []
    for (const parent of parents) this.startSpan(parent)
    const waiting = this.#waiting
    this.#waiting = []
    for (const child of waiting) child.start(this.#contexts())
    if (this.#endedAt !== undefined) this.#endSpans(this.#endedAt)
  }

  /** Creates a span below one parent, with more attributes. Returns its `traceparent`, or undefined if the sampler does not record it. */
  startSpan(parent: Context, more?: SpanAttributes): string | undefined {
    const { name, kind } = this.#options
    const attributes = more ? { ...this.#attributes, ...allowedAttributes(more) } : this.#attributes
    const options = attributes ? { kind, attributes, startTime: this.#startedAt } : { kind, startTime: this.#startedAt }
    const span = this.#tracer.startSpan(name, options, parent)
    if (!span.isRecording()) return undefined
    this.#spans ??= []
    this.#spans.push(span)
    return traceparentOf(span.spanContext())
  }

  /** Returns the segment of a part of this work, or undefined if it would not be recorded. */
  child(options: SegmentOptions): Segment | undefined {
    if (this.#spans?.length === 0) return undefined
    const child = new Segment(this.#tracer, options, this.root)
    if (this.#spans) child.start(this.#contexts())
    else if (this.root.#count++ < maxWaiting) this.#waiting.push(child)
    else return undefined
    return child
  }

  set(attributes: SpanAttributes): void {
    const allowed = allowedAttributes(attributes)
    if (this.#spans) for (const span of this.#spans) span.setAttributes(allowed)
    else this.#attributes = { ...this.#attributes, ...allowed }
  }

  /** Marks the work as failed. The text of an error can have claims, so it is left out. */
  fail(error?: unknown): void {
    this.#isFailed = true
    const problem = error === undefined ? undefined : findProblem(error)
    if (problem) this.set({ 'trustwright.problem': problem.code })
    else if (error instanceof Error) this.set({ 'error.type': error.name })
  }

  end(): void {
    this.#endedAt ??= epochMs()
    if (this.#spans) this.#endSpans(this.#endedAt)
  }

  /** Returns the `traceparent` of what this work causes. Undefined if the work belongs to no trace or to several. */
  get traceparent(): string | undefined {
    const [span, other] = this.#spans ?? []
    return span && !other ? traceparentOf(span.spanContext()) : undefined
  }

  get traceId(): string | undefined {
    return this.#spans?.[0]?.spanContext().traceId
  }

  #endSpans(at: number): void {
    for (const span of this.#spans ?? []) {
      if (this.#isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(at)
    }
  }

  #contexts(): Context[] {
    return (this.#spans ?? []).map((span) => trace.setSpan(ROOT_CONTEXT, span))
  }
}
