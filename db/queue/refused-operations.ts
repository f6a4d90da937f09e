import type { IQueueBackend } from 'bullmq'

/** The operations that this service does not use: flows, logs, progress, rate limits, deduplication, event streams and others. */
const operations = [
  ...(['addFlow', 'addLog', 'changeDelay', 'changePriority', 'clearLogs', 'deleteDeduplicationKey', 'drain'] as const),
  ...(['forQueue', 'getClientList', 'getCountsPerPriority', 'getDeduplicationJobId', 'getDependencies'] as const),
  ...(['getDependencyCounts', 'getIgnoredChildrenFailures', 'getJobLogs', 'getJobSchedulersCount'] as const),
  ...(['getMetrics', 'getProcessedChildrenValues', 'getQueueMeta', 'getQueueMetaField', 'getQueueMetaFields'] as const),
  ...(['getRateLimitTtl', 'isFinished', 'isJobInState', 'isMaxed', 'moveJobFromActiveToWait'] as const),
  ...(['moveToWaitingChildren', 'paginate', 'parseNodeKey', 'promoteJobs', 'publishEvent', 'readEvents'] as const),
  ...(['removeChildDependency', 'removeDeduplicationKey', 'removeDeprecatedPriorityKey'] as const),
  ...(['removeOrphanedJobs', 'removeQueueMetaFields', 'removeRateLimitKey', 'removeUnprocessedChildren'] as const),
  ...(['retryFinishedJob', 'retryFinishedJobs', 'setRateLimit', 'trimEvents', 'updateData', 'updateProgress'] as const),
] satisfies (keyof IQueueBackend)[]

export type Refused = Record<(typeof operations)[number], () => never>

/** Functions that throw an error with the name of their operation. */
// Boundary: the keys are those of the list.
export const refused = Object.fromEntries(
  operations.map((operation) => [
    operation,
    () => {
      throw new Error(`Queues in SQLite do not have the operation ${operation}.`)
    },
  ]),
) as Refused
