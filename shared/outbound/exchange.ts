import type { Dispatcher } from 'undici'
import { OutboundError, toOutboundError } from './outbound-error.ts'

export interface OutboundResponse {
  status: number
  /** Lower-case names; a repeated header is an array. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** As sent: nothing is decompressed. */
  body: Buffer
  /** The answer was longer than `maxResponseBytes`, and `body` is its beginning. */
  truncated: boolean
}

export interface ExchangeLimits {
  /** For everything: waiting for a connection, connecting, sending, the whole answer. */
  timeoutMs: number
  maxResponseBytes: number
  /** What happens to a longer answer: `fail` rejects with `too_large`, `truncate` keeps its beginning. */
  overflow: 'fail' | 'truncate'
}

type Settle = { resolve: (response: OutboundResponse) => void; reject: (error: OutboundError) => void }

/** How much of an overlong answer is read and thrown away to save the connection, before it is cut. */
const DRAIN_BYTES = 65_536

/** Sends one request and collects one answer within the limits. Rejects with an OutboundError. */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new Exchange(limits, { resolve, reject }))
  })
}

/**
 * Lives until the answer is complete or cut, which can be after the promise is settled: a request that timed out in
 * the queue is dropped when its turn comes, and a truncated answer is drained within the same deadline.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits
  readonly #settle: Settle
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #cut: OutboundError | undefined
  #status = 0
  #headers: OutboundResponse['headers'] = {}
  readonly #chunks: Buffer[] = []
  #receivedBytes = 0

  constructor(limits: ExchangeLimits, settle: Settle) {
    this.#limits = limits
    this.#settle = settle
    this.#timer = setTimeout(cutLate, limits.timeoutMs, this)
  }

  /** Ends the exchange now; a promise that is already settled stays as it is. */
  cut(error: OutboundError): void {
    this.#cut = error
    clearTimeout(this.#timer)
    this.#settle.reject(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#cut) controller.abort(this.#cut)
  }

  onResponseStart(_: unknown, status: number, headers: OutboundResponse['headers']): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    const { maxResponseBytes, overflow } = this.#limits
    const earlierBytes = this.#receivedBytes
    this.#receivedBytes += chunk.length
    if (earlierBytes < maxResponseBytes) this.#chunks.push(chunk)
    if (this.#receivedBytes <= maxResponseBytes) return
    const keeps = overflow === 'truncate'
    if (keeps && earlierBytes <= maxResponseBytes) this.#resolve({ truncated: true })
    const endBytes = keeps ? maxResponseBytes + DRAIN_BYTES : maxResponseBytes
    if (this.#receivedBytes > endBytes) this.cut(new OutboundError('too_large'))
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    if (this.#receivedBytes <= this.#limits.maxResponseBytes) this.#resolve({ truncated: false })
  }

  onResponseError(_: unknown, error: Error): void {
    clearTimeout(this.#timer)
    this.#settle.reject(toOutboundError(error))
  }

  // The copy lets go of the socket's far larger buffers.
  #resolve({ truncated }: { truncated: boolean }): void {
    const body = Buffer.concat(this.#chunks, Math.min(this.#receivedBytes, this.#limits.maxResponseBytes))
    this.#settle.resolve({ status: this.#status, headers: this.#headers, body, truncated })
  }
}

function cutLate(late: Exchange): void {
  late.cut(new OutboundError('timeout'))
}
