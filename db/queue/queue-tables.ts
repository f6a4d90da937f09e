/** The keys of the tables of the queues in SQLite. db/tables does not define them. Queues without schedules count as empty, so these are last. */
export const queueTables = {
  queue_jobs: 'row',
  queue_meta: 'queue, field',
  queue_values: 'kind, id',
  queue_counters: 'key',
  queue_schedulers: 'queue, id',
}
