/**
 * The keys of the tables of the queues in SQLite. db/tables does not define them. Schedules are removed first: a scheduler that finds none
 * reports that jobs were lost, also if the process that removes them is killed.
 */
export const queueTables = {
  queue_schedulers: 'queue, id',
  queue_jobs: 'row',
  queue_meta: 'queue, field',
  queue_values: 'kind, id',
  queue_counters: 'key',
}

/** The keys of the tables of the queues in PostgreSQL, besides those of BullMQ in their own schema. */
export const postgresQueueTables = {
  queue_values: 'kind, id',
  queue_unlogged_values: 'kind, id',
  queue_requests: 'queue, position',
  queue_counters: 'key',
}
