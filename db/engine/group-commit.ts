import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { DatabaseUnavailable } from './unavailable.ts'

/** Runs write transactions of one connection. */
export interface GroupCommit {
  /** Resolves when `work` is committed. If `work` throws, rolls it back and rejects. */
  run<Result>(work: () => Promise<Result>, options?: GroupedOptions): Promise<Result>
  /** Resolves when no transaction runs. */
  idle(): Promise<void>
}

export interface GroupedOptions {
  /** Shares a group that does not wait for the disk with others of this kind. A later commit that waits flushes it too. */
  mayLoseOnPowerFailure?: boolean | undefined
}

export interface GroupCommitLimits {
  /** Maximum transactions of one group. */
  maxItems: number
  /** Maximum waiting transactions. */
  maxWaiting: number
  /** The time that a transaction waits for the lock of another process. */
  deadlineMs: number
}

interface Pending {
  /** When the work was queued, by `performance.now()`. */
  since: number
  mayLoseOnPowerFailure: boolean
  /** Runs the work, in a savepoint if the group has others. Returns a function that settles its caller after the commit. */
  attempt(isShared: boolean): Promise<() => void>
  reject(failure: unknown): void
}

const defaultLimits: GroupCommitLimits = { maxItems: 64, maxWaiting: 10_000, deadlineMs: 10_000 }

/**
 * Commits concurrent transactions as a group, because the commit is the expensive part. Each transaction is a savepoint, so
 * a failure does not affect the others. Callers are settled after the commit. `BEGIN IMMEDIATE` takes the write lock
 * first, because deferred transactions fail when they upgrade. The wait for the lock of another process is outside of the
 * driver, which would block the event loop. Meanwhile more transactions join.
 */
export function createGroupCommit(
  connection: SqliteDatabase.Database,
  { maxItems, maxWaiting, deadlineMs }: GroupCommitLimits = defaultLimits,
): GroupCommit {
  const { begin, commit, rollback, inSavepoint, setFlush } = commandsOf(connection)
  const waiting: Pending[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    for (let first = waiting[0]; first; first = waiting[0]) {
      // Other requests of this tick join the group.
      await setImmediate()
      await runGroup(first)
    }
    // The loop ends in the same tick as the check that nothing waits. The next transaction starts a new loop.
    draining = undefined
  }

  async function runGroup(first: Pending): Promise<void> {
    let group: Pending[] = []
    // SQLite cannot change it inside a transaction.
    const flushes = countLosable(waiting, maxItems) < Math.min(waiting.length, maxItems)
    try {
      setFlush(flushes)
      await whileLocked(begin, first.since + deadlineMs)
      group = waiting.splice(0, flushes ? maxItems : countLosable(waiting, maxItems))
      const settle: (() => void)[] = []
      for (const { attempt } of group) settle.push(await attempt(group.length > 1))
      await whileLocked(commit, performance.now() + deadlineMs)
      for (const each of settle) each()
    } catch (error) {
      if (connection.inTransaction) rollback()
      for (const { reject } of group.length > 0 ? group : takeLate()) reject(error)
    }
  }

  /** Takes the transactions that have waited until their deadline: the first one, and those that arrived with it. */
  function takeLate(): Pending[] {
    const latest = performance.now() - deadlineMs
    const firstInTime = waiting.findIndex(({ since }, position) => position > 0 && since > latest)
    return waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime)
  }

  return {
    run(work, { mayLoseOnPowerFailure = false } = {}) {
      return new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(tooManyWaiting())
        const attempt = async (isShared: boolean) => {
          const outcome = isShared ? await inSavepoint(work) : { result: await work() }
          return () => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result))
        }
        waiting.push({ since: performance.now(), mayLoseOnPowerFailure, attempt, reject })
        draining ??= drain()
      })
    },
    async idle() {
      while (draining !== undefined) await draining
    },
  }
}

/** Counts the transactions before the first one that waits for the disk, at most `maxItems`. */
function countLosable(waiting: Pending[], maxItems: number): number {
  const first = waiting.slice(0, maxItems).findIndex(({ mayLoseOnPowerFailure }) => !mayLoseOnPowerFailure)
  return first === -1 ? Math.min(waiting.length, maxItems) : first
}

function tooManyWaiting(): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error('too many transactions wait'))
}

type Outcome<Result> = { result: Result } | { error: unknown }

function commandsOf(connection: SqliteDatabase.Database) {
  const statement = (sql: string) => {
    const prepared = connection.prepare(sql)
    return () => void prepared.run()
  }
  const savepoint = statement('SAVEPOINT one')
  const release = statement('RELEASE one')
  const rollbackToSavepoint = statement('ROLLBACK TO one')
  const flushLevel = Number(connection.pragma('synchronous', { simple: true }))
  let level = flushLevel
  return {
    /** Sets whether the next commits wait for the disk, if those of the connection do. */
    setFlush(flushes: boolean) {
      const next = flushes ? flushLevel : Math.min(flushLevel, synchronousNormal)
      if (next !== level) connection.pragma(`synchronous = ${next}`)
      level = next
    },
    begin: statement('BEGIN IMMEDIATE'),
    commit: statement('COMMIT'),
    rollback: statement('ROLLBACK'),
    /** Runs work of a group. If it throws, undoes only this work. */
    async inSavepoint<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
      savepoint()
      try {
        const result = await work()
        release()
        return { result }
      } catch (error) {
        // Some errors, such as a full disk, have ended the transaction already.
        if (!connection.inTransaction) throw error
        rollbackToSavepoint()
        release()
        return { error }
      }
    },
  }
}

/** https://sqlite.org/pragma.html#pragma_synchronous: in WAL mode, a commit does not wait for the disk. */
const synchronousNormal = 1

const maxPauseMs = 8

/** Repeats `run` while another process has the lock. Throws at the time `deadlineAt` of `performance.now()`. */
async function whileLocked(run: () => void, deadlineAt: number): Promise<void> {
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return run()
    } catch (error) {
      const isLocked = error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isLocked || performance.now() > deadlineAt) throw error
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }
}
