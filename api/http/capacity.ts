import { Gauge } from 'prom-client'
import { createSeveralTenants } from '../../shared/flow/several-tenants.ts'

const runningShare = new Gauge({
  name: 'trustwright_http_running_share',
  help: 'Part of the limits of running requests that applies now, from 0.25 to 1.',
})

/** Part of the limits of running requests that applies now, from `minShare` to 1. */
export interface Capacity {
  readonly share: number
  /** Observes a request of this tenant. */
  observe(tenantId: string): void
  /** Adapts the share to the load since the last adaptation. */
  adapt(): void
}

export interface CapacityOptions {
  /** Returns the load since its last call: the part of the time in which the event loop worked. 1 means that it never had to wait. */
  readLoad?: () => number
  /** Milliseconds on a monotonic clock. */
  now?: () => number
}

const minShare = 0.25
/** Above this load, fewer requests may run. */
const busy = 0.97
/** Below this load, more requests may run. */
const calm = 0.93
/** The minimum time between two adaptations. */
const windowMs = 50

export const fullCapacity: Capacity = { share: 1, observe() {}, adapt() {} }

/**
 * Creates a capacity that follows the load of the event loop. If the event loop never waits, each running request makes the requests of
 * all other tenants slower. So fewer may run, unless one tenant has the process to itself.
 */
export function createCapacity({
  readLoad = loadOfEventLoop(),
  now = () => performance.now(),
}: CapacityOptions = {}): Capacity {
  let share = 1
  runningShare.set(share)
  let adaptedAt = now()
  const tenants = createSeveralTenants(now)
  return {
    get share() {
      return share
    },
    observe: tenants.observe,
    adapt() {
      const at = now()
      if (at - adaptedAt < windowMs) return
      adaptedAt = at
      const load = readLoad()
      const isShared = tenants.areActive()
      if (load > busy && isShared) share = Math.max(minShare, share * 0.75)
      else if (load < calm || !isShared) share = Math.min(1, share + 0.125)
      runningShare.set(share)
    },
  }
}

function loadOfEventLoop(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
