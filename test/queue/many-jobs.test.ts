import { statSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { SqliteStatements } from '../../db/engine/sqlite-statements.ts'
import { newQueue } from './backends.ts'

/** Adds jobs of three priorities as `queue.addBulk` does, in one statement. */
function fill(connection: SqliteDatabase.Database, queue: string, jobs: number): void {
  connection
    .prepare(`WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < :jobs)
      INSERT INTO queue_jobs
        (queue, id, state, rank, position, name, priority, delay_ms, added_at, options, data)
      SELECT :queue, 'job-' || number, 'waiting', number % 3, number, 'one', number % 3, 0, 0,
        '{"removeOnComplete":true}', '{}' FROM numbers`)
    .run({ queue, jobs })
}

/** Runs jobs of a queue with so many waiting jobs. Returns the bytes that a job writes, and the plans of the statements. */
async function measure(waiting: number): Promise<{ bytes: number; plans: string[] }> {
  const { address, queue, serve } = await newQueue('sqlite')
  const path = address.url.slice('file:'.length)
  const connection = new SqliteDatabase(path)
  fill(connection, address.queue, waiting)
  connection.pragma('wal_checkpoint(TRUNCATE)')
  const prepare = vi.spyOn(SqliteStatements.prototype, 'prepare')
  const worker = serve(async () => undefined, { autorun: false })
  const jobs = 20
  for (let job = 0; job < jobs; job++) {
    const taken = await worker.getNextJob('token', { block: false })
    await queue.add('one', {}, { priority: 1 })
    await taken?.moveToCompleted(undefined, 'token', false)
  }
  const bytes = statSync(`${path}-wal`).size / jobs
  const texts = new Set(prepare.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes('queue_jobs')))
  prepare.mockRestore()
  const plans = [...texts].flatMap((sql) => planOf(connection, sql))
  connection.close()
  return { bytes, plans }
}

function planOf(connection: SqliteDatabase.Database, sql: string): string[] {
  const names = [...sql.matchAll(/:(\w+)/g)].map(([, name]) => [name, null])
  const steps = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(Object.fromEntries(names))
  return (steps as { detail: string }[]).map(({ detail }) => detail)
}

test('the cost of a job does not grow with the number of waiting jobs', async () => {
  const few = await measure(1_000)
  const many = await measure(100_000)
  expect(many.bytes).toBeLessThan(1.5 * few.bytes)
  expect(many.plans.join('\n')).toContain('queue_jobs_order')
  // Each statement finds its rows in an index, in their order. A virtual table is the list of parameters, from json_each.
  for (const step of many.plans) expect(step).not.toMatch(/^SCAN (?!CONSTANT ROW|each VIRTUAL TABLE)|TEMP B-TREE/)
})
