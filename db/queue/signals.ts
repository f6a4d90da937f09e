import type { Database } from '../client.ts'
import { statementsOf } from '../engine/sqlite-statements.ts'
import { canStart, findAllReady, findReady, type Ready } from './take-job.ts'

/** Tells the waiting workers of a process when a job can start. */
export interface QueueSignals {
  /** Looks for jobs of a queue after this process has changed it. */
  changed(queue: string): void
  /**
   * Resolves with true when a job of the queue can start: one that this or another process has added, or a delayed one that is due.
   * Resolves with false after `timeoutMs`, or when `cancelled` aborts.
   */
  waitForJob(queue: string, timeoutMs: number, cancelled: AbortSignal): Promise<boolean>
  /** Calls `listener` after other connections have committed, at most every 25 ms. Returns a function that ends it. */
  onCommit(listener: () => void): () => void
}

/** How soon a process notices the commits of other processes. */
const pollMs = 25

interface Waiter {
  wake(hasJob: boolean): void
  timer: NodeJS.Timeout | undefined
  endsAt: number
}

/** All queues of a database share one timer, which runs only while a worker waits or a listener exists. */
export function createQueueSignals(db: Database): QueueSignals {
  const poll = createPoll(lookForCommits)
  const waiters = createWaiters(poll)
  const listeners = createListeners(poll, db)
  let version: string | undefined

  /** Wakes the workers of a queue if a job can start. Otherwise sets their timers to the time of the next delayed job. */
  function use(ready: Ready, of: Waiter[]): void {
    const now = Date.now()
    if (canStart(ready, now)) for (const { wake } of of) wake(true)
    else for (const waiter of of) setTimer(waiter, ready.isPaused ? undefined : ready.dueAt, now)
  }

  /** A worker that is not woken because of an error looks for jobs after its timeout, and reports the error. */
  function lookSafely(queues: string[]): void {
    if (queues.length === 0) return
    try {
      for (const [queue, ready] of findAllReady(statementsOf(db.read), queues)) use(ready, waiters.of(queue))
    } catch {
      return
    }
  }

  function lookForCommits(): void {
    const latest = dataVersion(db)
    if (latest === version) return
    version = latest
    lookSafely(waiters.queues())
    listeners.callAll(latest)
  }

  return {
    changed(queue) {
      if (waiters.has(queue)) lookSafely([queue])
    },
    waitForJob: (queue, timeoutMs, cancelled) =>
      new Promise((resolve, reject) => {
        const cancel = () => waiter.wake(false)
        const waiter = waiters.add(queue, timeoutMs, (hasJob) => {
          cancelled.removeEventListener('abort', cancel)
          resolve(hasJob)
        })
        cancelled.addEventListener('abort', cancel)
        try {
          if (cancelled.aborted) cancel()
          else use(findReady(statementsOf(db.read), queue), [waiter])
        } catch (error) {
          reject(error)
          cancel()
        }
      }),
    onCommit: listeners.add,
  }
}

type Poll = ReturnType<typeof createPoll>

/** Calls `look` regularly while it has users. */
function createPoll(look: () => void) {
  const users = new Set<object>()
  let timer: NodeJS.Timeout | undefined
  return {
    add(user: object): void {
      users.add(user)
      timer ??= setInterval(look, pollMs)
    },
    remove(user: object): void {
      users.delete(user)
      if (users.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}

/** Keeps the listeners, and the version of the database that each of them knows. */
function createListeners(poll: Poll, db: Database) {
  const listeners = new Set<{ listener: () => void; version: string | undefined }>()
  return {
    add(listener: () => void): () => void {
      const entry = { listener, version: dataVersion(db) }
      listeners.add(entry)
      poll.add(entry)
      return () => {
        listeners.delete(entry)
        poll.remove(entry)
      }
    },
    callAll(version: string | undefined): void {
      for (const entry of listeners) {
        if (entry.version === version) continue
        entry.version = version
        entry.listener()
      }
    },
  }
}

/** Keeps the waiters of all queues. */
function createWaiters(poll: Poll) {
  const waiting = new Map<string, Set<Waiter>>()

  function remove(queue: string, waiter: Waiter): void {
    clearTimeout(waiter.timer)
    waiting.get(queue)?.delete(waiter)
    if (waiting.get(queue)?.size === 0) waiting.delete(queue)
    poll.remove(waiter)
  }

  return {
    add(queue: string, timeoutMs: number, onWake: (hasJob: boolean) => void): Waiter {
      const waiter: Waiter = {
        timer: undefined,
        endsAt: Date.now() + timeoutMs,
        wake(hasJob) {
          remove(queue, waiter)
          onWake(hasJob)
        },
      }
      waiting.set(queue, (waiting.get(queue) ?? new Set()).add(waiter))
      poll.add(waiter)
      return waiter
    },
    of: (queue: string) => [...(waiting.get(queue) ?? [])],
    has: (queue: string) => waiting.has(queue),
    queues: () => [...waiting.keys()],
  }
}

const versionSql = 'PRAGMA data_version'

/** Returns a text that changes when another connection of this or another process commits. Undefined if it cannot be read. */
function dataVersion(db: Database): string | undefined {
  try {
    return JSON.stringify(statementsOf(db.read).prepare(versionSql).get())
  } catch {
    return undefined
  }
}

function setTimer(waiter: Waiter, dueAt: number | undefined, now: number): void {
  clearTimeout(waiter.timer)
  const isDueFirst = dueAt !== undefined && dueAt < waiter.endsAt
  waiter.timer = setTimeout(() => waiter.wake(isDueFirst), Math.max(0, (isDueFirst ? dueAt : waiter.endsAt) - now))
}
