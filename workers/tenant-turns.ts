import { Postpone } from './serve.ts'

/** Lets the long jobs of tenants take turns in this process. */
export interface TenantTurns {
  /** Runs the work, or throws `Postpone` if other jobs are first. The job ends its turn in time, and is queued again for its next one. */
  take<Result>(job: Turn, work: () => Promise<Result>): Promise<Result>
}

export interface Turn {
  tenantId: string
  /** The same for each turn of a job. */
  id: string
}

/**
 * The pauses before a job asks again. The queue gives a job to any process, and only some of them have a free slot. So the jobs that are
 * next ask often, and find a free slot soon. The others ask less often: a thousand jobs ask about 600 times per second in total.
 */
const minPauseMs = 25
const maxPauseMs = 2_000
/** The jobs that are next. Behind them, the pause grows with the square of the position. */
const nearJobs = 8
/** A job that has not asked again after so many pauses runs in another process, or has ended. */
const missedPauses = 3
const maxRemembered = 1_000

export interface TurnOptions {
  /** A tenant finishes a job before its next one begins, because a job that continues later is slow to begin again. */
  finishesJobs?: boolean
  now?: () => number
}

interface LastTurn {
  number: number
  id: string
  /** If the job has work left, it asks for its next turn before this time. */
  returnsUntil: number
}

/**
 * Each tenant has one turn at a time. The tenant whose last turn is the longest ago is first. So a long job delays a short one of another
 * tenant by at most one turn. The jobs of one tenant take turns too, unless it finishes its jobs.
 */
export function createTenantTurns(
  maxAtOnce: number,
  { finishesJobs = false, now = () => performance.now() }: TurnOptions = {},
): TenantTurns {
  const running = new Set<string>()
  const waiting = new Map<string, Turn & { until: number }>()
  const last = createLastTurns()

  /** Returns whether the next turn of the tenant can be one of this job. */
  function isNextOfTenant({ tenantId, id }: Turn): boolean {
    const turn = last.get(tenantId)
    if (!turn) return true
    if (finishesJobs) return turn.id === id || turn.returnsUntil < now()
    return turn.id !== id || !waiting.values().some((each) => each.tenantId === tenantId && each.id !== id)
  }

  function isFirst(job: Turn): boolean {
    const { tenantId, id } = job
    if (running.size >= maxAtOnce || running.has(tenantId) || !isNextOfTenant(job)) return false
    const before = [...waiting.values()].filter(
      (each) => each.id !== id && last.numberOf(each.tenantId) < last.numberOf(tenantId) && isNextOfTenant(each),
    )
    const tenants = new Set(before.map((each) => each.tenantId)).difference(running)
    return tenants.size < maxAtOnce - running.size
  }

  /** Returns whether another job that waits asks sooner than this one. */
  const isBefore = (other: Turn, { tenantId, id }: Turn) =>
    other.id !== id &&
    (other.tenantId === tenantId ? isNextOfTenant(other) : last.numberOf(other.tenantId) < last.numberOf(tenantId))

  const expectReturn = (job: Turn, afterMs: number) =>
    last.expectReturn(job, now() + afterMs + missedPauses * maxPauseMs)

  return {
    async take(job, work) {
      for (const [id, { until }] of waiting) if (until < now()) waiting.delete(id)
      if (!isFirst(job)) {
        const pauseMs = pauseAt([...waiting.values()].filter((each) => isBefore(each, job)).length)
        waiting.set(job.id, { ...job, until: now() + missedPauses * pauseMs })
        expectReturn(job, pauseMs)
        throw new Postpone(pauseMs)
      }
      waiting.delete(job.id)
      running.add(job.tenantId)
      last.add(job.tenantId, job.id)
      try {
        return await work()
      } catch (error) {
        if (error instanceof Postpone) expectReturn(job, error.delayMs)
        throw error
      } finally {
        running.delete(job.tenantId)
      }
    },
  }
}

/** Returns how long a job waits before it asks again. Position 0 is next. */
function pauseAt(position: number): number {
  return Math.min(maxPauseMs, minPauseMs * (1 + position) * (1 + position / nearJobs))
}

/** Remembers the last turn of each tenant. */
function createLastTurns() {
  /** By tenant, oldest first. */
  const turns = new Map<string, LastTurn>()
  let count = 0
  return {
    get: (tenantId: string) => turns.get(tenantId),
    /** Returns 0 for a tenant without a turn. A later turn has a higher number. */
    numberOf: (tenantId: string) => turns.get(tenantId)?.number ?? 0,
    expectReturn({ tenantId, id }: Turn, until: number): void {
      const turn = turns.get(tenantId)
      if (turn?.id === id) turn.returnsUntil = until
    },
    add(tenantId: string, id: string): void {
      turns.delete(tenantId)
      turns.set(tenantId, { number: ++count, id, returnsUntil: 0 })
      const [oldest] = turns.size > maxRemembered ? turns.keys() : []
      if (oldest !== undefined) turns.delete(oldest)
    },
  }
}
