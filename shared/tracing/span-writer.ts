import { AsyncLocalStorage } from 'node:async_hooks'
import type { SpanEnd } from './recorder.ts'
import { maxSpanBytes, SpanText, type WritableSpan } from './span-text.ts'

export interface SpanWriterOptions {
  /** The text of a body before its first span. */
  head: string
  /** Sends a body. Never rejects. */
  send(body: Buffer): Promise<void>
  /** The time between two bodies. */
  delayMs: number
  /** Maximum spans of one body. */
  maxItems: number
  /** Maximum spans that wait. Later ones are dropped. */
  maxWaiting: number
}

const bufferBytes = 512 * 1024

/** The text after the last span. */
const tail = ']}]}]}'

/**
 * Writes each span to a buffer when it ends, and sends the buffer when it is full or old. The batch processor of OpenTelemetry keeps the
 * objects of spans until the export. They then outlive two collections of garbage, which costs more than all other work for a span.
 */
export class SpanWriter {
  readonly #options: SpanWriterOptions
  /** Runs work outside of the trace of a request. Otherwise the log line of a failed export has its trace id. */
  readonly #outside = AsyncLocalStorage.snapshot()
  readonly #text = new SpanText(bufferBytes)
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #waiting: { body: Buffer; count: number }[] = []
  #waitingCount = 0
  #sending: Promise<void> | undefined

  constructor(options: SpanWriterOptions) {
    this.#options = options
  }

  write(span: WritableSpan, end: SpanEnd): void {
    if (this.#count === 0) this.#begin()
    else this.#text.putComma()
    this.#text.putSpan(span, end)
    this.#count++
    if (this.#count >= this.#options.maxItems || this.#text.length > bufferBytes - maxSpanBytes) this.#seal()
  }

  async flush(): Promise<void> {
    this.#seal()
    await this.#sending
  }

  #begin(): void {
    this.#text.length = 0
    this.#text.put(this.#options.head)
    this.#timer = this.#outside(() => setTimeout(() => this.#seal(), this.#options.delayMs).unref())
  }

  /** Ends the current body. Drops it if too many spans wait. */
  #seal(): void {
    clearTimeout(this.#timer)
    const count = this.#count
    if (count === 0) return
    this.#count = 0
    if (this.#waitingCount + count > this.#options.maxWaiting) return
    this.#text.put(tail)
    this.#waiting.push({ body: Buffer.from(this.#text.bytes.subarray(0, this.#text.length)), count })
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
