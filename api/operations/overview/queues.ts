import type { OutboxBacklog } from '../../../db/outbox.ts'
import type { QueueStatus } from '../../../shared/jobs/queue-status.ts'

export function presentQueues(queues: QueueStatus[], { waiting, waitsSince }: OutboxBacklog) {
  return { data: queues.map(presentQueue), outbox: { waiting, ...sinceOf(waitsSince) } }
}

function presentQueue({ queue, jobs, waitsSince, workers }: QueueStatus) {
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
