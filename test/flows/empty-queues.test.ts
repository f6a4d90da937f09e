import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { emptyQueues } from '../../db/queue/empty-queues.ts'
import { dayMs } from '../../shared/clock.ts'
import { queues } from '../../shared/jobs/definition.ts'
import type { QueueIn } from '../../shared/settings/config.ts'
import { startWorkers } from '../../workers/start.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { runNow } from '../harness/run-now.ts'
import { inherited } from '../harness/started.ts'
import { startReceiver } from '../servers/receiver.ts'

/** Runs the command with the settings of the service. */
function runCommand({ deps: { config } }: Service): Promise<{ code: unknown; printed: string }> {
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
  expect(await runCommand(service)).toEqual({
    code: 1,
    printed: expect.stringContaining('Stop all processes first'),
  })
  expect(await delivery.getJobCountByTypes('delayed')).toBeGreaterThan(0)

  await service.workers.stop()
  const { code, printed } = await eventually(async () => {
    const result = await runCommand(service)
    return result.code === 0 && result
  })
  expect(printed).toMatch(/^delivery: .*\d+ delayed/m)
  expect(code).toBe(0)
  for (const name of queues) {
    const queue = bus.queue(name)
    expect(await queue.getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed', 'failed')).toBe(0)
    expect(await queue.getJobSchedulers()).toEqual([])
  }
  const again = await runCommand(service)
  expect(again).toEqual({ code: 0, printed: expect.stringMatching(/^The queues in \w+ ?\w* are empty\. /) })
}

test('a command that was killed leaves no schedules, so that the scheduler queues the lost jobs again', async () => {
  await using receiver = await startReceiver()
  await using service = await startService({ queueIn: 'database', roles: ['relay', 'scheduler', 'signing', 'upkeep'] })
  const { db, bus } = service.deps
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  const { body } = await service.operator.post('/v1/webhooks', webhook)
  await service.operator.post(`/v1/webhooks/${body.id}/test`)
  const delivery = bus.queue('delivery')
  await eventually(async () =>
    (await delivery.getJobs(['waiting', 'prioritized'])).some(({ name }) => name === 'deliverWebhooks'),
  )
  await service.workers.stop()

  const before = await bus.emptiedAt(service.clock)
  service.clock.advance(1_000)
  await expect(emptyUntilKilled(db, 2)).rejects.toThrow('killed')
  for (const name of queues) expect(await bus.queue(name).getJobSchedulers()).toEqual([])

  const roles = ['scheduler', 'signing', 'upkeep', 'publishing', 'delivery'] as const
  const workers = await startWorkers(roles, {
    ...service.deps,
    broker: service.broker,
    keyring: service.keyring,
  })
  await using _stop = { [Symbol.asyncDispose]: () => workers.stop() }
  await eventually(async () => (await bus.emptiedAt(service.clock))?.getTime() !== before?.getTime())
  service.clock.advance(20_000) // shorter than the time after which a job counts as late
  await runNow(bus, 'recoverDeliveries')
  await eventually(async () => receiver.deliveries.length > 0)
  await eventually(async () => (await delivery.getJobCountByTypes('waiting', 'active')) === 0)
  expect(receiver.deliveries).toHaveLength(1)
})

/** Empties the queues, and fails instead of the statement with this number. */
function emptyUntilKilled({ tx, postgres }: Database, statement: number): Promise<number> {
  let count = 0
  const unlessKilled = () => {
    if (++count === statement) throw new Error('killed')
  }
  return emptyQueues({
    tx: async (work, options) => {
      unlessKilled()
      return tx(work, options)
    },
    postgres: postgres && {
      ...postgres,
      write: async (query, values) => {
        unlessKilled()
        return postgres.write(query, values)
      },
    },
  })
}
