import type { Dispatcher } from 'undici'
import { OutboundError, toOutboundError } from './outbound-error.ts'

export interface OutboundResponse {
  status: number
  /** Lower-case names; a repeated header is an array. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body. `Outbound.request` decodes its content coding, except for `overflow: 'truncate'`. */
  body: Buffer
  /** Whether the response was longer than `maxResponseBytes`. `body` is then its beginning. */
  truncated: boolean
}

export interface ExchangeLimits {
  /** Total time limit: waiting for a connection, connecting, sending, and the complete response. */
  timeoutMs: number
  maxResponseBytes: number
  /** For a longer response, `fail` rejects with `too_large`, and `truncate` returns its beginning. */
  overflow: 'fail' | 'truncate'
}

type Settle = { resolve: (response: OutboundResponse) => void; reject: (error: OutboundError) => void }

/** The number of bytes of a truncated response that are read and discarded to keep the connection, before it is closed. */
const DRAIN_BYTES = 65_536

/** Sends one request and reads one response within the limits. Rejects with an OutboundError. */
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
 * Exists until the response is complete or aborted, which can be after the promise has settled. A request that timed out in the queue
 * is dropped when it would start. A truncated response is drained within the same deadline.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits
  readonly #settle: Settle
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #cut: OutboundError | undefined
  #head: Pick<OutboundResponse, 'status' | 'headers'> = { status: 0, headers: {} }
  readonly #body: ReceivedBody

  constructor(limits: ExchangeLimits, settle: Settle) {
    this.#limits = limits
    this.#settle = settle
    this.#body = createReceivedBody(limits.maxResponseBytes)
    this.#timer = setTimeout(cutLate, limits.timeoutMs, this)
  }

  /** Aborts the exchange. Does not change a promise that has settled. */
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
    if (status >= 200) this.#head = { status, headers }
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    const { maxResponseBytes, overflow } = this.#limits
    const wasTooLong = this.#body.isTooLong()
    this.#body.add(chunk)
    if (!this.#body.isTooLong()) return
    const keeps = overflow === 'truncate'
    if (keeps && !wasTooLong) this.#resolve()
    const endBytes = keeps ? maxResponseBytes + DRAIN_BYTES : maxResponseBytes
    if (this.#body.receivedBytes() > endBytes) this.cut(new OutboundError('too_large'))
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    if (!this.#body.isTooLong()) this.#resolve()
  }

  onResponseError(_: unknown, error: Error): void {
    clearTimeout(this.#timer)
    this.#settle.reject(toOutboundError(error))
  }

  #resolve(): void {
    this.#settle.resolve({ ...this.#head, body: this.#body.copy(), truncated: this.#body.isTooLong() })
  }
}

function cutLate(late: Exchange): void {
  late.cut(new OutboundError('timeout'))
}

type ReceivedBody = ReturnType<typeof createReceivedBody>

/** Collects the beginning of a body. */
function createReceivedBody(maxBytes: number) {
  const chunks: Buffer[] = []
  let receivedBytes = 0
  return {
    add(chunk: Buffer): void {
      if (receivedBytes < maxBytes) chunks.push(chunk)
      receivedBytes += chunk.length
    },
    receivedBytes: () => receivedBytes,
    isTooLong: () => receivedBytes > maxBytes,
    /** The copy frees the much larger buffers of the socket. */
    copy: () => Buffer.concat(chunks, Math.min(receivedBytes, maxBytes)),
  }
}
