import { hash } from 'node:crypto'
import { Postpone } from '../serve.ts'

/** Runs the long jobs of tenants round robin in this process, each for a time slice. */
export interface TimeSlices {
  /**
   * Runs the work, or throws `Postpone` if other jobs are first. The job ends its time slice in time, and is queued again for its next one.
   */
  take<Result>(job: SlicedJob, work: () => Promise<Result>): Promise<Result>
}

export interface SlicedJob {
  tenantId: string
  /** The same for each time slice of a job. */
  id: string
}

/**
 * The pauses before a job asks again. The queue gives a job to any process, and only some of them have a free slot. So the jobs that are
 * next ask often, and find a free slot soon. The others ask less often. Each job has a different position, also when no tenant has had a
 * time slice in this process. So a thousand jobs ask about 700 times per second, of however many tenants they are, and also when all of
 * them came in the same second.
 */
const minPauseMs = 25
const maxPauseMs = 2_000
/** The jobs that are next. Behind them, the pause grows with the square of the position. */
const nearJobs = 8
/** A job that has not asked again after so many pauses runs in another process, or has ended. */
const missedPauses = 3
const maxRemembered = 1_000

export interface TimeSliceOptions {
  /** A tenant finishes a job before its next one begins, because a job that continues later is slow to begin again. */
  finishesJobs?: boolean
  /** Milliseconds. The default is similar in all processes. */
  now?: () => number
}

interface LastSlice {
  number: number
  id: string
  /** If the job has work left, it asks for its next time slice before this time. */
  returnsUntil: number
}

/**
 * Each tenant has one time slice at a time. The tenant whose last time slice is the longest ago is first. So a long job delays a short one
 * of another tenant by at most one time slice. The jobs of one tenant run round robin too, unless it finishes its jobs.
 */
export function createTimeSlices(
  maxAtOnce: number,
  { finishesJobs = false, now = () => performance.timeOrigin + performance.now() }: TimeSliceOptions = {},
): TimeSlices {
  const running = new Set<string>()
  const waiting = new Map<string, SlicedJob & { until: number }>()
  const last = createLastSlices()

  /** Returns whether the next time slice of the tenant can be one of this job. */
  function isNextOfTenant({ tenantId, id }: SlicedJob): boolean {
    const slice = last.get(tenantId)
    if (!slice) return true
    if (finishesJobs) return slice.id === id || slice.returnsUntil < now()
    return slice.id !== id || !waiting.values().some((each) => each.tenantId === tenantId && each.id !== id)
  }

  function isFirst(job: SlicedJob): boolean {
    const { tenantId, id } = job
    if (running.size >= maxAtOnce || running.has(tenantId) || !isNextOfTenant(job)) return false
    const before = [...waiting.values()].filter(
      (each) => each.id !== id && last.numberOf(each.tenantId) < last.numberOf(tenantId) && isNextOfTenant(each),
    )
    const tenants = new Set(before.map((each) => each.tenantId)).difference(running)
    return tenants.size < maxAtOnce - running.size
  }

  const expectReturn = (job: SlicedJob, afterMs: number) =>
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

interface SliceOrder {
  /** The number of the last time slice of a tenant. */
  numberOf(tenantId: string): number
  /** Returns whether the next time slice of the tenant can be one of this job. */
  isNextOfTenant(job: SlicedJob): boolean
}

/**
 * Returns the position of one of the waiting jobs in the order of time slices. Tenants and jobs that the order does not tell apart are as in
 * `waiting`, so each job has a different position.
 */
function positionOf(
  { tenantId, id }: SlicedJob,
  waiting: SlicedJob[],
  { numberOf, isNextOfTenant }: SliceOrder,
): number {
  const jobs = Map.groupBy(waiting, (each) => each.tenantId)
  const tenants = [...jobs].sort(([a], [b]) => numberOf(a) - numberOf(b))
  const ownJobs = Map.groupBy(jobs.get(tenantId) ?? [], isNextOfTenant)
  const ordered = [...(ownJobs.get(true) ?? []), ...(ownJobs.get(false) ?? [])]
  // In each round, each tenant has a time slice for one of its jobs.
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
 * Returns how long a job of a far position waits. Each of these jobs asks at its own time in a period, in whichever process, so that those
 * that came together do not ask together.
 */
function untilPhase(id: string, at: number): number {
  const phaseMs = (hash('sha1', id, 'buffer').readUInt32BE() / 2 ** 32) * maxPauseMs
  return maxPauseMs - ((at - phaseMs) % maxPauseMs)
}

/** Remembers the last time slice of each tenant. */
function createLastSlices() {
  /** By tenant, oldest first. */
  const slices = new Map<string, LastSlice>()
  let count = 0
  return {
    get: (tenantId: string) => slices.get(tenantId),
    /** Returns 0 for a tenant without a time slice. A later time slice has a higher number. */
    numberOf: (tenantId: string) => slices.get(tenantId)?.number ?? 0,
    expectReturn({ tenantId, id }: SlicedJob, until: number): void {
      const slice = slices.get(tenantId)
      if (slice?.id === id) slice.returnsUntil = until
    },
    add(tenantId: string, id: string): void {
      slices.delete(tenantId)
      slices.set(tenantId, { number: ++count, id, returnsUntil: 0 })
      const [oldest] = slices.size > maxRemembered ? slices.keys() : []
      if (oldest !== undefined) slices.delete(oldest)
    },
  }
}
