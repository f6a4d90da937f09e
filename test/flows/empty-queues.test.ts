import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { dayMs } from '../../shared/clock.ts'
import { queues } from '../../shared/jobs/definition.ts'
import type { QueueIn } from '../../shared/settings/config.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { inherited } from '../harness/started.ts'

/** Runs the command with the settings of the service. */
function emptyQueues({ deps: { config } }: Service): Promise<{ code: unknown; printed: string }> {
  const { databaseUrl, redisUrl, redisPrefix, dataDir, queueIn } = config
  const queue = queueIn === 'redis' ? { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix } : { QUEUE: 'database' }
  const secrets = { SERVICE_SECRET: config.serviceSecrets[0].toString('base64') }
  const env = { ...inherited(), ...queue, ...secrets, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  return new Promise((resolve) =>
    execFile(process.execPath, ['db/cli/empty-queues.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, printed: stdout + stderr }),
    ),
  )
}

test('queues in the database are emptied when no process takes jobs, and not before', () => expectEmptied('database'))

// Once, in the suite on SQLite.
test('queues in Redis are emptied when no process takes jobs, and not before', { tags: ['sqlite', 'redis'] }, () =>
  expectEmptied('redis'),
)

async function expectEmptied(queueIn: QueueIn): Promise<void> {
  await using service = await startService({ queueIn, roles: ['signing', 'scheduler'] })
  const { bus } = service.deps
  const delivery = bus.queue('delivery')
  await eventually(async () => (await delivery.getJobSchedulers()).length > 0)
  await delivery.addBulk([
    { name: 'deliverWebhooks', data: { payload: { items: [] } } },
    { name: 'deliverWebhooks', data: { payload: { items: [] } }, opts: { delay: dayMs } },
  ])
  expect(await emptyQueues(service)).toEqual({
    code: 1,
    printed: expect.stringContaining('Stop all processes first'),
  })
  expect(await delivery.getJobCountByTypes('delayed')).toBeGreaterThan(0)

  await service.workers.stop()
  const { code, printed } = await eventually(async () => {
    const result = await emptyQueues(service)
    return result.code === 0 && result
  })
  expect(printed).toMatch(/^delivery: .*\d+ delayed/m)
  expect(code).toBe(0)
  for (const name of queues) {
    const queue = bus.queue(name)
    expect(await queue.getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed', 'failed')).toBe(0)
    expect(await queue.getJobSchedulers()).toEqual([])
  }
  const again = await emptyQueues(service)
  expect(again).toEqual({ code: 0, printed: expect.stringMatching(/^The queues in \w+ ?\w* are empty\. /) })
}
