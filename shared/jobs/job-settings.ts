import type { SigningQueueLimits } from './definition.ts'

/** A job of the maximum weight takes about 50 ms. */
export const signingQueue: SigningQueueLimits = {
  maxJobs: 4,
  maxItems: 64,
  maxWeight: 2_000,
  maxWaitingPerTenant: 1_000,
  maxWaiting: 4_000,
  fillMs: 20,
}

/** Maximum concurrent deliveries of one tenant in a process. One job signs as many, without waiting for more. */
export const tenantDeliveries = 32

export const fanningOutPortion = {
  queue: 'delivery',
  attempts: 20,
  backoffMs: 200,
  keptUntilDone: true,
  forgetFailures: true,
} as const
export const fanningOut = { ...fanningOutPortion, batch: 100 } as const

/** Jobs that find what is due. The next run repeats a failed one. */
export const searchJob = { queue: 'publishing', attempts: 1, backoffMs: 0 } as const

export const upkeepUntilDone = {
  queue: 'upkeep',
  attempts: 20,
  backoffMs: 1_000,
  keptUntilDone: true,
  forgetFailures: true,
} as const

/** Jobs that create keys, and objects that are signed with them. A caller waits. A retry does not repeat completed steps. */
export const creationJob = { queue: 'signing', attempts: 3, backoffMs: 100 } as const

/** Signing jobs that a search queues again if they fail. */
export const signingScan = { queue: 'signing-bulk', forgetFailures: true, isQueuedByScan: true } as const

/** Jobs with one signature for one caller. */
export const signature = { queue: 'signing', attempts: 2, backoffMs: 100 } as const

/** Messages and encrypted requests can be large, and each needs key agreements. Small batches keep the wait of each one short. */
export const messages = {
  queue: 'signing',
  attempts: 2,
  backoffMs: 100,
  sealed: true,
  signingQueue: { ...signingQueue, maxItems: 16 },
} as const
