import { type SpanContext, SpanKind } from '@opentelemetry/api'
import { findProblem } from '../errors/errors.ts'
import type { SpanAttributes } from './attributes.ts'
import type { OpenSpan, Recorder } from './recorder.ts'
import { traceparentOf } from './traceparent.ts'

export interface SegmentOptions {
  name: string
  kind: SpanKind
  attributes?: SpanAttributes | undefined
}

/** Maximum segments that wait for the trace of a request. Later ones are left out. */
const maxWaiting = 50

const { timeOrigin } = performance
const epochMs = () => timeOrigin + performance.now()

/**
 * A piece of work with one span in each trace that it belongs to. A batch belongs to several traces. The trace of a wallet's request is
 * known only when its offer or session is read. Until then its segments wait, and no span exists.
 */
export class Segment {
  /** The segment of the request that decides about the trace. */
  readonly root: Segment
  readonly #recorder: Recorder
  readonly #options: SegmentOptions
  readonly #startedAt = epochMs()
  #attributes: SpanAttributes | undefined
  /** Undefined until the trace is known. Empty if nothing is recorded. */
  #spans: OpenSpan[] | undefined
  #waiting: Segment[] | undefined
  #count = 0
  #endedAt: number | undefined
  #isFailed = false

  constructor(recorder: Recorder, options: SegmentOptions, root?: Segment) {
    this.#recorder = recorder
    this.#options = options
    this.#attributes = options.attributes
    this.root = root ?? this
  }

  /** Returns a segment without spans of its own. Its children have a span below each span of the given segments. */
  static join(recorder: Recorder, segments: readonly (Segment | undefined)[]): Segment {
    const joined = new Segment(recorder, { name: 'joined', kind: SpanKind.INTERNAL })
    const distinct = [...new Set(segments)].filter((segment) => segment !== undefined)
    joined.#spans = distinct.flatMap((segment) => segment.#spans ?? [])
    return joined
  }

  get isUndecided(): boolean {
    return this.#spans === undefined
  }

  /** Creates one span below each parent, and starts the segments that wait. Does nothing if the trace is known already. */
  start(parents: readonly (SpanContext | undefined)[]): void {
    if (this.#spans !== undefined) return
    this.#spans = []
    for (const parent of parents) this.startSpan(parent)
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) for (const child of waiting) child.start(this.#spans)
    if (this.#endedAt !== undefined) this.#endSpans(this.#endedAt)
  }

  /**
   * Creates a span below one parent, or the first span of a trace. `own` are attributes of this span alone. Returns its `traceparent`, or
   * undefined if the sampler does not record it.
   */
  startSpan(parent: SpanContext | undefined, own?: SpanAttributes): string | undefined {
    const { name, kind } = this.#options
    const shared = this.#attributes
    const span = this.#recorder.start({ name, kind, startedAt: this.#startedAt, parent, own, shared })
    if (!span) return undefined
    this.#spans ??= []
    this.#spans.push(span)
    return traceparentOf(span)
  }

  /** Returns the segment of a part of this work, or undefined if it would not be recorded. */
  child(options: SegmentOptions): Segment | undefined {
    if (this.#spans?.length === 0) return undefined
    const child = new Segment(this.#recorder, options, this.root)
    if (this.#spans) child.start(this.#spans)
    else if (this.root.#count++ < maxWaiting) this.#wait(child)
    else return undefined
    return child
  }

  #wait(child: Segment): void {
    this.#waiting ??= []
    this.#waiting.push(child)
  }

  set(attributes: SpanAttributes): void {
    this.#attributes = this.#attributes ? { ...this.#attributes, ...attributes } : attributes
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
    const spans = this.#spans
    return spans?.[0] && spans.length === 1 ? traceparentOf(spans[0]) : undefined
  }

  get traceId(): string | undefined {
    return this.#spans?.[0]?.traceId
  }

  #endSpans(endedAt: number): void {
    if (!this.#spans) return
    const end = { endedAt, shared: this.#attributes, isFailed: this.#isFailed }
    for (const span of this.#spans) span.end(end)
  }
}
