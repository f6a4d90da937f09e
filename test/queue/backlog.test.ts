import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { expect, test } from 'vitest'
import { queueSchema } from '../../db/queue/queue-schema.ts'
import { createRecentLoad } from '../../workers/jobs/recent-load.ts'
import { eventually } from '../harness/harness.ts'
import { newQueue } from './backends.ts'
import type { QueueAddress } from './connect.ts'

const backlog = 100_000
const concurrency = 4

/** Adds jobs with these priorities as `queue.addBulk` does, in one statement. */
const fill = {
  async sqlite({ url, queue }: QueueAddress, priorities: number[]) {
    const connection = new SqliteDatabase(url.slice('file:'.length))
    connection
      .prepare(`INSERT INTO queue_jobs
        (queue, id, state, rank, position, name, priority, delay_ms, added_at, options, data)
        SELECT ?, 'heavy-' || key, 'waiting', value, key, 'heavy', value, 0, 0, '{"removeOnComplete":true}', '{}'
          FROM json_each(?)`)
      .run(queue, JSON.stringify(priorities))
    connection.close()
  },
  async postgres({ url, queue }: QueueAddress, priorities: number[]) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      `INSERT INTO ${queueSchema}.job (queue, id, seq, name, state, priority, opts, added_at_ms)
        SELECT $1, 'heavy-' || place, nextval('${queueSchema}.job_seq'), 'heavy', 'waiting', priority,
          '{"removeOnComplete":true}', 0
        FROM unnest($2::int[]) WITH ORDINALITY AS each (priority, place)`,
      [queue, priorities],
    )
    await client.end()
  },
}

for (const backend of ['sqlite', 'postgres'] as const)
  test(`${backend}: jobs of a tenant do not wait for the backlog of another`, { tags: backend }, () =>
    measureTurns(backend),
  )

async function measureTurns(backend: 'sqlite' | 'postgres'): Promise<void> {
  const { address, queue, serve } = await newQueue(backend)
  let seconds = 0
  // The relay gives these priorities.
  const loadOf = createRecentLoad(() => seconds * 1_000)
  await fill[backend](
    address,
    Array.from({ length: backlog }, () => loadOf('heavy')),
  )
  const ran: string[] = []
  serve(async ({ name }) => void ran.push(name), { concurrency })
  await eventually(async () => ran.length > 0)

  const between: number[] = []
  for (; seconds < 20; seconds++) {
    const name = `light-${seconds}`
    await queue.add(name, {}, { priority: loadOf('light'), removeOnComplete: true })
    const ranBefore = ran.length
    await eventually(async () => ran.includes(name))
    between.push(ran.indexOf(name) - ranBefore)
  }
  // Those that the worker had taken before the job was added.
  expect(Math.max(...between)).toBeLessThanOrEqual(2 * concurrency)
  const { prioritized = 0 } = await queue.getJobCounts('prioritized')
  expect(prioritized).toBeGreaterThan(backlog / 2)
}
