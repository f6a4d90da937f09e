import type { AtOnceOptions, Driver, TransactionOptions, Writer } from './database.ts'
import type { Pace } from './postgres-pace.ts'
import type { PreparedCall } from './postgres-query.ts'
import { groupLockTimeoutMs, type OneMessageOptions } from './postgres-transaction.ts'
import { collectTick } from './tick.ts'
import { DatabaseUnavailable, isLockTimeout } from './unavailable.ts'

/** Limits what one failure repeats, and how long one message takes. */
const maxItems = 16

interface PendingRead {
  call: PreparedCall
  resolve(rows: unknown[][]): void
  reject(error: unknown): void
}

/**
 * Returns a function that runs a query and returns its rows. The queries of one tick of the event loop are one message on one
 * connection, which wakes the server once. If a query fails, each query of its message runs again alone.
 */
export function readsByTick(
  send: (calls: PreparedCall[]) => Promise<unknown[][][]>,
): (call: PreparedCall) => Promise<unknown[][]> {
  const collect = collectTick<PendingRead>(maxItems, async (reads) => {
    try {
      const rows = await send(reads.map(({ call }) => call))
      for (const [position, { resolve }] of reads.entries()) resolve(rows[position] ?? [])
    } catch (error) {
      if (reads.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of reads) reject(error)
      else for (const { call, resolve, reject } of reads) send([call]).then(([rows = []]) => resolve(rows), reject)
    }
  })
  return (call) => new Promise((resolve, reject) => collect({ call, resolve, reject }))
}

export type Work<Result> = (tx: Writer) => Promise<Result>

type Run = <Result>(work: Work<Result>, options: TransactionOptions, atOnce: OneMessageOptions) => Promise<Result>

interface PendingWork {
  options: AtOnceOptions
  /** Runs the work of the caller. Returns a function that settles the caller after the commit. */
  attempt(tx: Writer): Promise<() => void>
  /** Runs the work in a transaction of its own. Settles the caller. */
  runAlone(): Promise<void>
  reject(error: unknown): void
}

/**
 * Returns `txAtOnce`. The transactions of one tick of the event loop are one transaction, which is one message and one commit. If
 * one of them fails or waits too long for a lock, each runs again alone, if it is in time for its own deadline. So a lock
 * delays the other calls of its group by `groupLockTimeoutMs`.
 *
 * A call that has less time left than this wait and a commit is refused, and the group runs without it. So one wait for a
 * lock commits no call after its deadline. Several waits that are each shorter can, and so can a slow commit.
 */
export function groupsOf(run: Run, pace: Pace): Driver['txAtOnce'] {
  const collect = collectTick<PendingWork>(maxItems, async (group) => {
    if (group.length === 1) return group[0]?.runAlone()
    const mayLoseOnPowerFailure = group.every(({ options }) => options.mayLoseOnPowerFailure)
    try {
      const attempts = (tx: Writer) => Promise.all(group.map(({ attempt }) => attempt(tx)))
      const settle = await run(attempts, {}, { mayLoseOnPowerFailure, isGroup: true })
      for (const each of settle) each()
    } catch (error) {
      if (error instanceof DatabaseUnavailable && !isLockTimeout(error)) for (const { reject } of group) reject(error)
      else await Promise.all(group.map(({ runAlone }) => runAlone()))
    }
  })
  return (work, options = {}) =>
    new Promise((resolve, reject) =>
      collect({
        options,
        async attempt(tx) {
          try {
            options.deadline?.require(groupLockTimeoutMs + pace.commitMs())
            const result = await work(tx)
            return () => resolve(result)
          } catch (error) {
            return () => reject(error)
          }
        },
        runAlone: () => run(work, options, options).then(resolve, reject),
        reject,
      }),
    )
}
