import { hash } from 'node:crypto'
import { Postpone } from '../serve.ts'

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
 * next ask often, and find a free slot soon. The others ask less often. Each job has a different position, also when no tenant has had a
 * turn in this process. So a thousand jobs ask about 700 times per second, of however many tenants they are, and also when all of them came
 * in the same second.
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
  /** Milliseconds. The default is similar in all processes. */
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
  { finishesJobs = false, now = () => performance.timeOrigin + performance.now() }: TurnOptions = {},
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

  const expectReturn = (job: Turn, afterMs: number) =>
    last.expectReturn(job, now() + afterMs + missedPauses * maxPauseMs)

  return {
    async take(job, work) {
      for (const [id, { until }] of waiting) if (until < now()) waiting.delete(id)
      if (!isFirst(job)) {
        const asking = { ...job, until: now() }
        waiting.set(job.id, asking)
        const pauseMs = pauseAt(positionOf(job, [...waiting.values()], { numberOf: last.numberOf, isNextOfTenant }))
        asking.until += missedPauses * pauseMs
        expectReturn(job, pauseMs)
        throw new Postpone(pauseMs < maxPauseMs ? pauseMs : untilPhase(job.id, now()))
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

interface TurnOrder {
  /** The number of the last turn of a tenant. */
  numberOf(tenantId: string): number
  /** Returns whether the next turn of the tenant can be one of this job. */
  isNextOfTenant(job: Turn): boolean
}

/**
 * Returns the position of one of the waiting jobs in the order of turns. Tenants and jobs that the order does not tell apart are as in
 * `waiting`, so each job has a different position.
 */
function positionOf({ tenantId, id }: Turn, waiting: Turn[], { numberOf, isNextOfTenant }: TurnOrder): number {
  const jobs = Map.groupBy(waiting, (each) => each.tenantId)
  const tenants = [...jobs].sort(([a], [b]) => numberOf(a) - numberOf(b))
  const ownJobs = Map.groupBy(jobs.get(tenantId) ?? [], isNextOfTenant)
  const ordered = [...(ownJobs.get(true) ?? []), ...(ownJobs.get(false) ?? [])]
  // In each round, each tenant has a turn for one of its jobs.
  const round = ordered.findIndex((each) => each.id === id)
  const place = tenants.findIndex(([each]) => each === tenantId)
  const before = tenants.map(([, { length }], at) => Math.min(length, at < place ? round + 1 : round))
  return before.reduce((sum, count) => sum + count, 0)
}

/** Returns how long a job waits before it asks again. Position 0 is next. */
function pauseAt(position: number): number {
  return Math.min(maxPauseMs, minPauseMs * (1 + position) * (1 + position / nearJobs))
}

/**
 * Returns how long a job of a far position waits. Each of these jobs asks at its own time in a period, in whichever process, so that those that
 * came together do not ask together.
 */
function untilPhase(id: string, at: number): number {
  const phaseMs = (hash('sha1', id, 'buffer').readUInt32BE() / 2 ** 32) * maxPauseMs
  return maxPauseMs - ((at - phaseMs) % maxPauseMs)
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
