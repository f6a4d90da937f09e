import { createFairQueue, type Entry, type FairQueue } from '../../shared/flow/fair-queue.ts'
import { type Capacity, fullCapacity } from './capacity.ts'

export interface AdmissionLimits {
  /** Maximum running requests of all tenants, and requests that start in one tick of the event loop. */
  maxRunning: number
  /** Maximum running requests of one tenant. It is less than `maxRunning`, so that other tenants get free slots. */
  maxRunningPerTenant: number
  /** Maximum waiting requests of one tenant. */
  maxWaitingPerTenant: number
  /** Maximum waiting requests of all tenants. */
  maxWaiting: number
}

/** A waiting or running request. */
export interface Admitted extends Entry {
  isUnderWay: boolean
  /** Called when the request gets its slot. */
  admit(): void
}

/** Limits the running requests of this process. The tenants with waiting requests are served round robin. */
export interface Admission {
  /** Gives the request a slot at once if it can, and otherwise later. Returns false if too many requests wait. */
  add(request: Admitted): boolean
  /** Removes the request from the queue, or takes its slot back. */
  release(request: Admitted): void
  /** Gives a slot to a request that had one before, whether or not a slot is free. */
  resume(request: Admitted): void
}

/** One tenant can use all connections that PostgreSQL's pools have (db/engine/postgres-pool.ts). */
export const defaultLimits: AdmissionLimits = {
  maxRunning: 32,
  maxRunningPerTenant: 16,
  maxWaitingPerTenant: 2_000,
  maxWaiting: 10_000,
}

/** The capacity applies to the limits of running requests. */
export function createAdmission(limits: AdmissionLimits = defaultLimits, capacity: Capacity = fullCapacity): Admission {
  const queue = createRequestQueue(limits, capacity)
  let underWay = 0
  /** Many requests end in the tick of the event loop in which they arrived. Without this limit they would all start at once. */
  let enteredInTick = 0

  function hasSlot(): boolean {
    const maxRunning = Math.ceil(limits.maxRunning * capacity.share)
    return underWay < maxRunning && enteredInTick < maxRunning
  }

  function admitNext(): void {
    while (queue.size > 0 && hasSlot()) {
      const [next] = queue.take()
      if (!next) return
      enter(next)
      next.admit()
    }
  }

  function enter(request: Admitted): void {
    if (enteredInTick++ === 0) setImmediate(endTick)
    capacity.observe(request.tenantId)
    underWay++
    request.isUnderWay = true
  }

  function endTick(): void {
    enteredInTick = 0
    capacity.adapt()
    admitNext()
  }

  return {
    add(request) {
      if (queue.size === 0 && hasSlot() && queue.start(request)) {
        enter(request)
        return true
      }
      if (!queue.add(request)) return false
      admitNext()
      return true
    },
    release(request) {
      if (!request.isUnderWay) return void queue.remove(request)
      request.isUnderWay = false
      underWay--
      queue.release([request])
      admitNext()
    },
    resume(request) {
      request.isUnderWay = true
      underWay++
      queue.resume(request)
    },
  }
}

function createRequestQueue(limits: AdmissionLimits, capacity: Capacity): FairQueue<Admitted> {
  const { maxRunningPerTenant, maxWaitingPerTenant, maxWaiting } = limits
  return createFairQueue<Admitted>({
    maxItems: 1,
    get maxWeight() {
      return Math.ceil(maxRunningPerTenant * capacity.share)
    },
    maxWaitingPerTenant,
    maxWaiting,
  })
}
