import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'

/** Runs write transactions of one connection. */
export interface GroupCommit {
  /** Resolves when `work` is committed. If `work` throws, rolls it back and rejects. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when no transaction runs. */
  idle(): Promise<void>
}

interface Pending {
  /** Runs the work, in a savepoint if the group has others. Returns a function that settles its caller after the commit. */
  attempt(isShared: boolean): Promise<() => void>
  reject(failure: unknown): void
}

const maxGroup = 64

/**
 * Commits concurrent transactions as a group, because the commit is the expensive part. Each transaction is a savepoint, so
 * a failure does not affect the others. Callers are settled after the commit. `BEGIN IMMEDIATE` takes the write lock
 * first, because deferred transactions fail when they upgrade. The wait for the lock of another process is outside of the
 * driver, which would block the event loop. Meanwhile more transactions join.
 */
export function createGroupCommit(connection: SqliteDatabase.Database): GroupCommit {
  const { begin, commit, rollback, savepoint, release, rollbackToSavepoint } = statementsOf(connection)
  let waiting: Pending[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // Other requests of this turn join the group.
      await setImmediate()
      await runGroup()
    }
    // In the same turn as the check that nothing waits. The next transaction starts a new loop.
    draining = undefined
  }

  async function runGroup(): Promise<void> {
    let group: Pending[] = []
    try {
      await whileLocked(begin)
      group = waiting.slice(0, maxGroup)
      waiting = waiting.slice(maxGroup)
      const settle: (() => void)[] = []
      for (const { attempt } of group) settle.push(await attempt(group.length > 1))
      await whileLocked(commit)
      for (const each of settle) each()
    } catch (error) {
      if (connection.inTransaction) rollback()
      // Before the group was formed, only the first transaction has reached the lock deadline.
      const failed = group.length > 0 ? group : waiting.splice(0, 1)
      for (const { reject } of failed) reject(error)
    }
  }

  return {
    run(work) {
      return new Promise((resolve, reject) => {
        const attempt = async (isShared: boolean) => {
          if (isShared) savepoint()
          try {
            const result = await work()
            if (isShared) release()
            return () => resolve(result)
          } catch (error) {
            // A single transaction is rolled back. Some errors, such as a full disk, have ended the transaction already.
            if (!isShared || !connection.inTransaction) throw error
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

function statementsOf(connection: SqliteDatabase.Database) {
  const statement = (sql: string) => {
    const prepared = connection.prepare(sql)
    return () => void prepared.run()
  }
  return {
    begin: statement('BEGIN IMMEDIATE'),
    commit: statement('COMMIT'),
    rollback: statement('ROLLBACK'),
    savepoint: statement('SAVEPOINT one'),
    release: statement('RELEASE one'),
    rollbackToSavepoint: statement('ROLLBACK TO one'),
  }
}

const lockDeadlineMs = 10_000
const maxPauseMs = 8

async function whileLocked(run: () => void): Promise<void> {
  const deadline = Date.now() + lockDeadlineMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return run()
    } catch (error) {
      const isLocked = error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isLocked || Date.now() > deadline) throw error
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }
}
