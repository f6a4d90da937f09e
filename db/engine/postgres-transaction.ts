import type { PoolClient } from 'pg'
import type { Deadline } from '../../shared/deadline.ts'
import type { AtOnceOptions } from './database.ts'
import type { Pace } from './postgres-pace.ts'
import { callOf, PipelinedExchange, type PreparedCall, type Queryable } from './postgres-query.ts'

// Said explicitly: behind PgBouncer, a session may be one that was told to refuse writes.
const begin = callOf('BEGIN READ WRITE')
const commit = callOf('COMMIT')
// For one transaction: behind PgBouncer, the next one of the session may be another process's.
const flushLater = callOf('SET LOCAL synchronous_commit = off')

/** More are sent at once. */
const mostWaiting = 8

interface Asked {
  call: PreparedCall
  /** Who waits for the rows. */
  answer?: { resolve(rows: unknown[][]): void; reject(failure: unknown): void }
}

/**
 * One transaction after the other on a connection, with few round trips: each begins in one message with its first statement;
 * what is asked in the same moment is one message; and what returns nothing goes along with the next one, or with the commit.
 * One message is all or nothing up to what fails in it: nothing runs before BEGIN was done, and nothing is committed after a failure.
 */
export class Transaction implements Queryable {
  readonly #client: PoolClient
  readonly #pace: Pace
  #deadline: Deadline | undefined
  #isOpen = false
  /** Rejected when the transaction could not begin; absent before anything is sent. */
  #begun: Promise<void> | undefined
  /** In the order in which they are sent. */
  #waiting: Asked[] = []
  /** Whether COMMIT goes with the first message. */
  #isAtOnce = false
  #isFlushedLater = false
  /** What was done with it, once it was sent. */
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

  /** What Drizzle runs by itself, which is not prepared. */
  query = (async (...asked: Parameters<PoolClient['query']>) => {
    this.#requireOpen()
    if (!this.#begun || this.#waiting.length > 0) await this.#send()
    await this.#begun
    this.#requireOpen()
    return this.#pace.measure(Promise.resolve(this.#client.query(...asked)))
    // Boundary: of pg's overloads, Drizzle calls the one that gives a promise.
  }) as unknown as PoolClient['query']

  async run(call: PreparedCall): Promise<unknown[][]> {
    this.#requireOpen()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, answer: { resolve, reject } })
      // By then whoever asks several things at once has asked them.
      process.nextTick(() => this.#sendAsked())
    })
  }

  async soon(call: PreparedCall): Promise<void> {
    this.#requireOpen()
    this.#waiting.push({ call })
    if (this.#waiting.length >= mostWaiting) await this.#send()
  }

  /** A transaction in which a statement failed is rolled back by COMMIT, which then does not fail itself. */
  async commit(): Promise<void> {
    // A connection that was lost meanwhile is found out about before it is too late to run all of it again.
    if (!this.#isAtOnce && !this.#begun && this.#waiting.length > 0) await this.#send()
    this.#isOpen = false
    if (!this.#begun && this.#waiting.length === 0) return
    await this.#begun
    const done = await (this.#committed ?? this.#sendCommit())
    if (done.at(-1) !== 'COMMIT') throw new Error('a statement failed, and the transaction went on as if it had not')
  }

  /** False when the connection cannot be told to be out of the transaction. */
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

  /** The connection may be somebody else's already. */
  #requireOpen(): void {
    if (!this.#isOpen) throw new Error('the transaction is over')
    this.#deadline?.require()
  }

  #sendAsked(): void {
    // Whoever asked is told of what fails; what was asked may have been sent with something else, or given up.
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

  /** All that waits; returns what was done. */
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
    // It was rolled back meanwhile: what is sent now would be no part of it.
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
    // Whoever comes next is told; who began is told here.
    this.#begun.catch(() => undefined)
    const rows = await sent
    const own = rows.slice(rows.length - asked.length)
    for (const [position, { answer }] of asked.entries()) answer?.resolve(own[position] ?? [])
    return exchange.done
  }
}
