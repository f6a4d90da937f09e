import type { PoolClient } from 'pg'
import type { Deadline } from '../../shared/deadline.ts'
import type { AtOnceOptions } from './database.ts'
import { TransactionMessages } from './postgres-messages.ts'
import type { Pace } from './postgres-pace.ts'
import { callOf, type PreparedCall, type Queryable } from './postgres-query.ts'

// Explicit, because behind PgBouncer a session may be set to read only.
const begin = callOf('BEGIN READ WRITE')
const commit = callOf('COMMIT')
// LOCAL, because behind PgBouncer the next transaction of the session may belong to another process.
const flushLater = callOf('SET LOCAL synchronous_commit = off')

/** The time that a statement of a group waits for a lock. Each lock has its own wait. */
export const groupLockTimeoutMs = 50
const limitLockWaits = callOf(`SET LOCAL lock_timeout = ${groupLockTimeoutMs}`)

/** Options of a transaction that is one message. */
export interface OneMessageOptions extends AtOnceOptions {
  /** Whether it contains the calls of several callers. It then fails after `groupLockTimeoutMs` without a lock. */
  isGroup?: boolean
}

/** At this number of queued calls they are sent immediately. */
const maxQueuedCalls = 8

/**
 * Runs the transactions of a connection with few round trips. BEGIN is sent with the first statement. Queries of the same
 * tick are one message. Queries without rows are sent with the next message or the commit. Nothing is committed after a
 * failure.
 */
export class Transaction implements Queryable {
  readonly #client: PoolClient
  readonly #pace: Pace
  readonly #messages: TransactionMessages
  #deadline: Deadline | undefined
  #isOpen = false
  /** Whether COMMIT goes with the first message. */
  #isAtOnce = false
  /** The command tags of the message with COMMIT, after it was sent. */
  #committed: Promise<string[]> | undefined

  constructor(client: PoolClient, pace: Pace) {
    this.#client = client
    this.#pace = pace
    this.#messages = new TransactionMessages(client, pace)
  }

  start(deadline: Deadline | undefined, atOnce?: OneMessageOptions): void {
    this.#deadline = deadline
    this.#isOpen = true
    this.#isAtOnce = atOnce !== undefined
    this.#committed = undefined
    const beginning = [begin]
    if (atOnce?.mayLoseOnPowerFailure) beginning.push(flushLater)
    if (atOnce?.isGroup) beginning.push(limitLockWaits)
    this.#messages.start(beginning)
  }

  /** Whether COMMIT was sent. */
  get isCommitting(): boolean {
    return this.#committed !== undefined
  }

  /** Runs a query of Drizzle that is not prepared. */
  query = (async (...args: Parameters<PoolClient['query']>) => {
    this.#requireOpen()
    if (!this.#messages.begun || this.#messages.queuedCalls > 0) await this.#messages.send()
    await this.#messages.begun
    this.#requireOpen()
    return this.#pace.measure(Promise.resolve(this.#client.query(...args)))
    // Boundary: Drizzle calls the overload that returns a promise.
  }) as unknown as PoolClient['query']

  async run(call: PreparedCall): Promise<unknown[][]> {
    this.#requireOpen()
    const rows = this.#messages.rowsOf(call)
    // Queries of the same tick are sent together.
    process.nextTick(() => this.#sendQueued())
    return rows
  }

  async queueWithNextMessage(call: PreparedCall): Promise<void> {
    this.#requireOpen()
    this.#messages.queue(call)
    if (!this.#isAtOnce && this.#messages.queuedCalls >= maxQueuedCalls) await this.#messages.send()
  }

  /** Commits. If a statement failed, COMMIT rolls back without an error, so its command tag is checked. */
  async commit(): Promise<void> {
    const { begun, queuedCalls } = this.#messages
    // Detects a lost connection before COMMIT is sent, while the transaction may still run again.
    if (!this.#isAtOnce && !begun && queuedCalls > 0) await this.#messages.send()
    this.#isOpen = false
    if (!this.#messages.begun && this.#messages.queuedCalls === 0) return
    await this.#messages.begun
    const done = await (this.#committed ?? this.#sendCommit())
    if (done.at(-1) !== 'COMMIT') throw new Error('a statement failed, and the transaction continued')
  }

  /** Rolls back. Returns false if the transaction may still be open on the connection. */
  async rollback({ isAnswered }: { isAnswered: boolean }): Promise<boolean> {
    this.#isOpen = false
    if (!this.#messages.drop()) return true
    // A ROLLBACK would wait as long as the query before it. The server rolls back when the connection ends.
    if (!isAnswered) return false
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

  #sendQueued(): void {
    // Each caller gets its own failure. The calls may have been sent with another message or dropped by a rollback.
    if (!this.#messages.hasCaller) return
    const sent = this.#isAtOnce && !this.#messages.begun ? this.#sendCommit() : this.#messages.send()
    sent.catch(() => undefined)
  }

  #sendCommit(): Promise<string[]> {
    this.#isOpen = false
    this.#messages.queue(commit)
    this.#committed = this.#messages.send()
    return this.#committed
  }
}
