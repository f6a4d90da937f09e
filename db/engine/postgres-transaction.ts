import type { PoolClient } from 'pg'
import type { Deadline } from '../../shared/deadline.ts'
import type { AtOnceOptions } from './database.ts'
import type { Pace } from './postgres-pace.ts'
import { callOf, PipelinedExchange, type PreparedCall, type Queryable } from './postgres-query.ts'

// Explicit, because behind PgBouncer a session may be set to read only.
const begin = callOf('BEGIN READ WRITE')
const commit = callOf('COMMIT')
// LOCAL, because behind PgBouncer the next transaction of the session may belong to another process.
const flushLater = callOf('SET LOCAL synchronous_commit = off')

/** At this number of queued calls they are sent immediately. */
const maxWaiting = 8

interface Asked {
  call: PreparedCall
  /** The caller that waits for the rows. */
  answer?: { resolve(rows: unknown[][]): void; reject(failure: unknown): void }
}

/**
 * Runs the transactions of a connection with few round trips. BEGIN is sent with the first statement. Queries of the same
 * tick are one message. Queries without rows are sent with the next message or the commit. The server skips the rest of a
 * message after a failure, so nothing runs without BEGIN, and nothing is committed after a failure.
 */
export class Transaction implements Queryable {
  readonly #client: PoolClient
  readonly #pace: Pace
  #deadline: Deadline | undefined
  #isOpen = false
  /** Rejects if the transaction could not begin. Absent before the first message. */
  #begun: Promise<void> | undefined
  /** The queued calls in their order. */
  #waiting: Asked[] = []
  /** Whether COMMIT goes with the first message. */
  #isAtOnce = false
  #isFlushedLater = false
  /** The command tags of the message with COMMIT, after it was sent. */
  #committed: Promise<string[]> | undefined

  constructor(client: PoolClient, pace: Pace) {
    this.#client = client
    this.#pace = pace
  }

  start(deadline: Deadline | undefined, atOnce?: AtOnceOptions): void {
    this.#deadline = deadline
    this.#isOpen = true
    this.#isAtOnce = atOnce !== undefined
    this.#isFlushedLater = atOnce?.isFlushedLater === true
    this.#begun = undefined
    this.#committed = undefined
  }

  /** Whether COMMIT was sent. */
  get isCommitting(): boolean {
    return this.#committed !== undefined
  }

  /** Runs a query of Drizzle that is not prepared. */
  query = (async (...asked: Parameters<PoolClient['query']>) => {
    this.#requireOpen()
    if (!this.#begun || this.#waiting.length > 0) await this.#send()
    await this.#begun
    this.#requireOpen()
    return this.#pace.measure(Promise.resolve(this.#client.query(...asked)))
    // Boundary: Drizzle calls the overload that returns a promise.
  }) as unknown as PoolClient['query']

  async run(call: PreparedCall): Promise<unknown[][]> {
    this.#requireOpen()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, answer: { resolve, reject } })
      // Queries of the same tick are sent together.
      process.nextTick(() => this.#sendAsked())
    })
  }

  async soon(call: PreparedCall): Promise<void> {
    this.#requireOpen()
    this.#waiting.push({ call })
    if (this.#waiting.length >= maxWaiting) await this.#send()
  }

  /** Commits. If a statement failed, COMMIT rolls back without an error, so its command tag is checked. */
  async commit(): Promise<void> {
    // Detects a lost connection before COMMIT is sent, while the transaction may still run again.
    if (!this.#isAtOnce && !this.#begun && this.#waiting.length > 0) await this.#send()
    this.#isOpen = false
    if (!this.#begun && this.#waiting.length === 0) return
    await this.#begun
    const done = await (this.#committed ?? this.#sendCommit())
    if (done.at(-1) !== 'COMMIT') throw new Error('a statement failed, and the transaction went on as if it had not')
  }

  /** Rolls back. Returns false if the transaction may still be open on the connection. */
  async rollback(): Promise<boolean> {
    this.#isOpen = false
    this.#waiting = []
    const begun = this.#begun
    this.#begun = undefined
    if (!begun) return true
    const isCommitted = await this.#committed?.then(
      () => true,
      () => false,
    )
    if (isCommitted) return true
    try {
      await this.#client.query('ROLLBACK')
      return true
    } catch {
      return false
    }
  }

  /** Throws after the end, because the pool may have given the connection to another transaction. */
  #requireOpen(): void {
    if (!this.#isOpen) throw new Error('the transaction is over')
    this.#deadline?.require()
  }

  #sendAsked(): void {
    // Each caller gets its own failure. The calls may have been sent with another message or dropped by a rollback.
    if (!this.#waiting.some(({ answer }) => answer)) return
    const sent = this.#isAtOnce && !this.#begun ? this.#sendCommit() : this.#send()
    sent.catch(() => undefined)
  }

  #sendCommit(): Promise<string[]> {
    this.#isOpen = false
    this.#waiting.push({ call: commit })
    this.#committed = this.#send()
    return this.#committed
  }

  /** Sends the queued calls. Returns the command tags. */
  async #send(): Promise<string[]> {
    const together = this.#waiting.splice(0)
    try {
      return await this.#exchange(together)
    } catch (error) {
      for (const { answer } of together) answer?.reject(error)
      throw error
    }
  }

  async #exchange(asked: Asked[]): Promise<string[]> {
    const calls = asked.map(({ call }) => call)
    const begun = this.#begun
    if (begun !== undefined) await begun
    // The transaction was rolled back during the wait.
    if (begun !== this.#begun) throw new Error('the transaction is over')
    const beginning = this.#isFlushedLater ? [begin, flushLater] : [begin]
    const exchange = new PipelinedExchange(this.#client, begun === undefined ? [...beginning, ...calls] : calls)
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
    const own = rows.slice(rows.length - asked.length)
    for (const [position, { answer }] of asked.entries()) answer?.resolve(own[position] ?? [])
    return exchange.done
  }
}
