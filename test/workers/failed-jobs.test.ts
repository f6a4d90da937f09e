import { expect, test } from 'vitest'
import { statementsOf } from '../../db/engine/sqlite-statements.ts'
import { dayMs } from '../../shared/clock.ts'
import { eventually, startService } from '../harness/harness.ts'
import { runNow } from '../harness/run-now.ts'

test('a failed job is removed from a quiet queue after a week', { tags: 'sqlite' }, async () => {
  await using service = await startService({ queueIn: 'database', roles: ['signing', 'publishing', 'upkeep'] })
  const { bus, db } = service.deps
  const queue = bus.queue('publishing')
  // No worker knows the jobs, so they fail after a day.
  const timestamp = Date.now() - 2 * dayMs
  for (const jobId of ['old', 'young']) await queue.add('ofYesterday', { payload: {} }, { jobId, timestamp })
  await eventually(async () => (await queue.getJobCountByTypes('failed')) === 2)
  const age = `UPDATE queue_jobs SET finished_at = finished_at - :ms, position = position - :ms WHERE id = :id`
  await db.tx(async (tx) => {
    statementsOf(tx)
      .prepare(age)
      .run({ id: 'old', ms: 7 * dayMs + 60_000 })
    statementsOf(tx)
      .prepare(age)
      .run({ id: 'young', ms: 7 * dayMs - 600_000 })
  })
  await runNow(bus, 'purgeExpired')
  expect((await queue.getJobs(['failed'])).map(({ id }) => id)).toEqual(['young'])
})
