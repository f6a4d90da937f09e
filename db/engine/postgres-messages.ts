import type { PoolClient } from 'pg'
import type { Pace } from './postgres-pace.ts'
import { PipelinedExchange, type PreparedCall } from './postgres-query.ts'

interface QueuedCall {
  call: PreparedCall
  /** The caller that waits for the rows. */
  answer?: { resolve(rows: unknown[][]): void; reject(failure: unknown): void }
}

/**
 * Queues the calls of a transaction and sends them together. The first message begins the transaction. The server skips the
 * rest of a message after a failure, so nothing runs without BEGIN.
 */
export class TransactionMessages {
  readonly #client: PoolClient
  readonly #pace: Pace
  #beginning: PreparedCall[] = []
  /** Rejects if the transaction could not begin. Absent before the first message. */
  #begun: Promise<void> | undefined
  /** The queued calls in their order. */
  #queued: QueuedCall[] = []

  constructor(client: PoolClient, pace: Pace) {
    this.#client = client
    this.#pace = pace
  }

  /** Prepares a transaction that these calls begin. */
  start(beginning: PreparedCall[]): void {
    this.#beginning = beginning
    this.#begun = undefined
  }

  /** Drops the queued calls. Returns `begun` of the transaction. */
  drop(): Promise<void> | undefined {
    const begun = this.#begun
    this.#queued = []
    this.#begun = undefined
    return begun
  }

  get begun(): Promise<void> | undefined {
    return this.#begun
  }

  get queuedCalls(): number {
    return this.#queued.length
  }

  /** Whether a caller waits for a queued call. */
  get hasCaller(): boolean {
    return this.#queued.some(({ answer }) => answer)
  }

  queue(call: PreparedCall): void {
    this.#queued.push({ call })
  }

  /** Queues a call and returns its rows. */
  rowsOf(call: PreparedCall): Promise<unknown[][]> {
    return new Promise((resolve, reject) => {
      this.#queued.push({ call, answer: { resolve, reject } })
    })
  }

  /** Sends the queued calls. Returns the command tags. */
  async send(): Promise<string[]> {
    const together = this.#queued.splice(0)
    try {
      return await this.#exchange(together)
    } catch (error) {
      for (const { answer } of together) answer?.reject(error)
      throw error
    }
  }

  async #exchange(queued: QueuedCall[]): Promise<string[]> {
    const calls = queued.map(({ call }) => call)
    const begun = this.#begun
    if (begun !== undefined) await begun
    // The transaction was rolled back during the wait.
    if (begun !== this.#begun) throw new Error('the transaction is over')
    const exchange = new PipelinedExchange(this.#client, begun === undefined ? [...this.#beginning, ...calls] : calls)
    const sent = this.#pace.measure(exchange.send())
    this.#begun ??= sent.then(
      () => undefined,
      (error) => {
        if (exchange.done.length === 0) throw error
      },
    )
    // Later calls await this promise. The first call gets the failure from `sent`.
    this.#begun.catch(() => undefined)
    const rows = await sent
    const own = rows.slice(rows.length - queued.length)
    for (const [position, { answer }] of queued.entries()) answer?.resolve(own[position] ?? [])
    return exchange.done
  }
}
