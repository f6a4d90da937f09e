import type { PoolClient } from 'pg'
import { type Call, callOf, Exchange, type Queryable } from './postgres-query.ts'

// Said explicitly: behind PgBouncer, a session may be one that was told to refuse writes.
const begin = callOf('BEGIN READ WRITE')
const commit = callOf('COMMIT')

/** More are sent by themselves. */
const mostWaiting = 8

/**
 * One transaction after the other on a connection, with few round trips: each begins in one message with its first statement,
 * and what returns nothing goes along with the next one, or with the commit. One message is all or nothing up to what fails
 * in it: nothing runs before BEGIN was done, and nothing is committed after a failure.
 */
export class Transaction implements Queryable {
  readonly #client: PoolClient
  /** Rejected when the transaction could not begin; absent before anything is sent. */
  #begun: Promise<void> | undefined
  #waiting: Call[] = []
  /** Whether COMMIT was sent. */
  isCommitting = false

  constructor(client: PoolClient) {
    this.#client = client
  }

  /** Forgets the one before. */
  start(): void {
    this.#begun = undefined
    this.#waiting = []
    this.isCommitting = false
  }

  /** What Drizzle runs by itself, which is not prepared. */
  query = (async (...asked: Parameters<PoolClient['query']>) => {
    if (!this.#begun || this.#waiting.length > 0) await this.#send([])
    await this.#begun
    return this.#client.query(...asked)
    // Boundary: of pg's overloads, Drizzle calls the one that gives a promise.
  }) as unknown as PoolClient['query']

  async run(call: Call): Promise<unknown[][]> {
    return (await this.#send([call])).rows
  }

  async soon(call: Call): Promise<void> {
    this.#waiting.push(call)
    if (this.#waiting.length >= mostWaiting) await this.#send([])
  }

  /** A transaction in which a statement failed is rolled back by COMMIT, which then does not fail itself. */
  async commit(): Promise<void> {
    if (!this.#begun && this.#waiting.length === 0) return
    // A connection that was lost meanwhile is found out about before it is too late to run all of it again.
    if (!this.#begun) await this.#send([])
    await this.#begun
    this.isCommitting = true
    const { done } = await this.#send([commit])
    if (done.at(-1) !== 'COMMIT') throw new Error('a statement failed, and the transaction went on as if it had not')
  }

  /** False when the connection cannot be told to be out of the transaction. */
  async rollback(): Promise<boolean> {
    if (!this.#begun) return true
    try {
      await this.#client.query('ROLLBACK')
      return true
    } catch {
      return false
    }
  }

  async #send(calls: Call[]): Promise<{ rows: unknown[][]; done: string[] }> {
    const together = [...this.#waiting.splice(0), ...calls]
    if (!this.#begun) return this.#begin(together)
    await this.#begun
    return exchange(new Exchange(this.#client, together))
  }

  async #begin(calls: Call[]): Promise<{ rows: unknown[][]; done: string[] }> {
    const first = new Exchange(this.#client, [begin, ...calls])
    const sent = exchange(first)
    this.#begun = sent.then(
      () => undefined,
      (error) => {
        if (first.done.length === 0) throw error
      },
    )
    // Whoever comes next is told; the one who began is told by `sent`.
    this.#begun.catch(() => undefined)
    return sent
  }
}

async function exchange(calls: Exchange): Promise<{ rows: unknown[][]; done: string[] }> {
  const rows = await calls.send()
  return { rows, done: calls.done }
}
