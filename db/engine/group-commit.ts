import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'

/** Runs write transactions of one connection. */
export interface GroupCommit {
  /** Resolves when what `work` did is on disk; rejects, and leaves nothing of it, when it throws. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** When nothing is under way. */
  idle(): Promise<void>
}

interface Pending {
  /** Runs the work, in a savepoint if it has company; what it returns tells its caller of the outcome, after the commit. */
  attempt(hasCompany: boolean): Promise<() => void>
  reject(failure: unknown): void
}

const most = 64

/**
 * Transactions that come together share one `BEGIN IMMEDIATE` and one commit, which is what costs: each is a savepoint of
 * its own, so that one's failure is no matter of the others, and nobody is told of success before the commit. The write
 * lock is taken up front (deferred transactions fail when they upgrade), and another process's lock is waited for outside
 * the driver, which would freeze the event loop; meanwhile more transactions join.
 */
export function createGroupCommit(connection: SqliteDatabase.Database): GroupCommit {
  const statement = (sql: string) => {
    const prepared = connection.prepare(sql)
    return () => void prepared.run()
  }
  const begin = statement('BEGIN IMMEDIATE')
  const commit = statement('COMMIT')
  const rollback = statement('ROLLBACK')
  const savepoint = statement('SAVEPOINT one')
  const release = statement('RELEASE one')
  const rollbackToSavepoint = statement('ROLLBACK TO one')
  let waiting: Pending[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // What the requests at hand want to write comes along.
      await setImmediate()
      await runGroup()
    }
    // In the same moment in which nothing waits: whoever comes next starts anew.
    draining = undefined
  }

  async function runGroup(): Promise<void> {
    let group: Pending[] = []
    try {
      await whileLocked(begin)
      group = waiting.slice(0, most)
      waiting = waiting.slice(most)
      const settle: (() => void)[] = []
      for (const { attempt } of group) settle.push(await attempt(group.length > 1))
      await whileLocked(commit)
      for (const each of settle) each()
    } catch (error) {
      if (connection.inTransaction) rollback()
      // Before the group was formed only the first in line has waited too long.
      const failed = group.length > 0 ? group : waiting.splice(0, 1)
      for (const { reject } of failed) reject(error)
    }
  }

  return {
    run(work) {
      return new Promise((resolve, reject) => {
        const attempt = async (hasCompany: boolean) => {
          if (hasCompany) savepoint()
          try {
            const result = await work()
            if (hasCompany) release()
            return () => resolve(result)
          } catch (error) {
            // Alone, the transaction is rolled back; and a full disk, for one, has ended it already.
            if (!hasCompany || !connection.inTransaction) throw error
            rollbackToSavepoint()
            release()
            return () => reject(error)
          }
        }
        waiting.push({ attempt, reject })
        draining ??= drain()
      })
    },
    async idle() {
      while (draining !== undefined) await draining
    },
  }
}

const lockDeadlineMs = 10_000
const longestPauseMs = 8

async function whileLocked(run: () => void): Promise<void> {
  const deadline = Date.now() + lockDeadlineMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return run()
    } catch (error) {
      const isLocked = error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isLocked || Date.now() > deadline) throw error
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }
}
