import type { OutboxStanding } from '../../../db/outbox.ts'
import type { Bus } from '../../../shared/jobs/bus.ts'

type Standing = Awaited<ReturnType<Bus['queueStatuses']>>[number]

export function presentQueues(queues: Standing[], { waiting, waitsSince }: OutboxStanding) {
  return { data: queues.map(presentQueue), outbox: { waiting, ...sinceOf(waitsSince) } }
}

function presentQueue({ queue, jobs, waitsSince, workers }: Standing) {
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = jobs
  return {
    ...{ queue, waiting: waiting + prioritized, active, delayed, failed },
    ...sinceOf(waitsSince),
    ...(workers !== undefined && { workers }),
  }
}

function sinceOf(since: Date | undefined) {
  return since ? { since: since.toISOString() } : {}
}
