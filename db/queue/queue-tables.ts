/** The keys of the tables that db/tables does not define, because only SQLite has them. Queues without schedules count as empty, so these are last. */
export const queueTables = {
  queue_jobs: 'row',
  queue_meta: 'queue, field',
  queue_values: 'kind, id',
  queue_schedulers: 'queue, id',
}
