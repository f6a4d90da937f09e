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

/** How often a job asks for its turn. Many jobs ask less often, so that together they ask at most 50 times per second. */
const minPauseMs = 100
const maxPauseMs = 2_000
const pausePerJobMs = 20
/** A job that has not asked again after so many pauses runs in another process, or has ended. */
const missedPauses = 3
const maxRemembered = 1_000

/**
 * Each tenant has one turn at a time. The tenant whose last turn is the longest ago is first. Of the jobs of one tenant, the job of its last
 * turn is not first if others wait. So a long job delays a short one of another tenant by at most one turn.
 */
export function createTenantTurns(maxAtOnce: number, now = () => performance.now()): TenantTurns {
  const running = new Set<string>()
  const waiting = new Map<string, Turn & { until: number }>()
  /** The last turns by tenant, oldest first. */
  const last = new Map<string, { number: number; id: string }>()
  let count = 0

  const lastNumber = (tenantId: string) => last.get(tenantId)?.number ?? 0

  function isFirst({ tenantId, id }: Turn): boolean {
    if (running.size >= maxAtOnce || running.has(tenantId)) return false
    const others = [...waiting.values()].filter((each) => each.id !== id)
    if (last.get(tenantId)?.id === id && others.some((each) => each.tenantId === tenantId)) return false
    const before = others.filter((each) => lastNumber(each.tenantId) < lastNumber(tenantId))
    const tenants = new Set(before.map((each) => each.tenantId)).difference(running)
    return tenants.size < maxAtOnce - running.size
  }

  function forgetGone(): void {
    for (const [id, { until }] of waiting) if (until < now()) waiting.delete(id)
  }

  function begin({ tenantId, id }: Turn): void {
    waiting.delete(id)
    running.add(tenantId)
    last.delete(tenantId)
    last.set(tenantId, { number: ++count, id })
    const [oldest] = last.size > maxRemembered ? last.keys() : []
    if (oldest !== undefined) last.delete(oldest)
  }

  return {
    async take(job, work) {
      forgetGone()
      if (!isFirst(job)) {
        const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, waiting.size * pausePerJobMs))
        waiting.set(job.id, { ...job, until: now() + missedPauses * pauseMs })
        throw new Postpone(pauseMs)
      }
      begin(job)
      try {
        return await work()
      } finally {
        running.delete(job.tenantId)
      }
    },
  }
}
