import { AsyncLocalStorage } from 'node:async_hooks'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { headOf, tail, writeSpan } from './otlp-json.ts'

export interface SpanWriterOptions {
  /** Sends a body. Never rejects. */
  send(body: Buffer): Promise<void>
  /** The time between two bodies. */
  delayMs: number
  /** Maximum spans of one body. */
  maxItems: number
  /** Maximum spans that wait. Later ones are dropped. */
  maxWaiting: number
}

/** Longer than any span: its attributes are few and short. */
const maxSpanBytes = 8_192
const bufferBytes = 512 * 1024

/**
 * Writes each span to a buffer when it ends, and sends the buffer when it is full or old. The batch processor of OpenTelemetry keeps the
 * objects of spans until the export. They then outlive two collections of garbage, which costs more than all other work for a span.
 */
export class SpanWriter implements SpanProcessor {
  readonly #options: SpanWriterOptions
  /** Runs work outside of the trace of a request. Otherwise the log line of a failed export has its trace id. */
  readonly #outside = AsyncLocalStorage.snapshot()
  readonly #buffer = Buffer.allocUnsafe(bufferBytes)
  #length = 0
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #waiting: { body: Buffer; count: number }[] = []
  #waitingCount = 0
  #sending: Promise<void> | undefined

  constructor(options: SpanWriterOptions) {
    this.#options = options
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#count === 0) {
      this.#length = this.#buffer.write(headOf(span))
      this.#timer = this.#outside(() => setTimeout(() => this.#seal(), this.#options.delayMs).unref())
    }
    const text = writeSpan(span)
    this.#length += this.#buffer.write(this.#count === 0 ? text : `,${text}`, this.#length)
    this.#count++
    if (this.#count >= this.#options.maxItems || this.#length > bufferBytes - maxSpanBytes) this.#seal()
  }

  async forceFlush(): Promise<void> {
    this.#seal()
    await this.#sending
  }

  shutdown(): Promise<void> {
    return this.forceFlush()
  }

  /** Ends the current body. Drops it if too many spans wait. */
  #seal(): void {
    clearTimeout(this.#timer)
    const count = this.#count
    if (count === 0) return
    this.#count = 0
    if (this.#waitingCount + count > this.#options.maxWaiting) return
    const length = this.#length + this.#buffer.write(tail, this.#length)
    this.#waiting.push({ body: Buffer.from(this.#buffer.subarray(0, length)), count })
    this.#waitingCount += count
    this.#sending ??= this.#outside(() => this.#sendAll())
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#options.send(next.body)
      this.#waitingCount -= next.count
    }
    this.#sending = undefined
  }
}
