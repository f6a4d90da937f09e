import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { serveQueue } from '../../workers/serve.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'

test('queues in the database: a job fails after its attempts with any text in its error', async () => {
  const { db, drop } = await openNewDatabase()
  onTestFinished(drop)
  const secrets = createSecrets([randomBytes(32)])
  const broker = createDatabaseBroker(db, secrets)
  const bus = broker.openBus()
  onTestFinished(() => bus.close())
  const consumer = broker.openConsumer('upkeep')
  onTestFinished(consumer.disconnect)
  let attempts = 0
  const handlers = {
    async purgeExpired() {
      attempts++
      throw new Error('the host answered \0 and \ud800')
    },
  }
  const log = pino({ level: 'silent' })
  const limits = { concurrency: 1, takeoverMs: 5_000 }
  const worker = serveQueue({ queue: 'upkeep', handlers, consumer, secrets, log, ...limits })
  onTestFinished(() => worker.close(true))

  await bus.send('purgeExpired', {}, { id: 'failing' })
  await eventually(async () => (await bus.queue('upkeep').getJobState('failing')) === 'failed')
  expect(attempts).toBe(3)
  expect((await bus.queue('upkeep').getJob('failing'))?.failedReason).toBe('the host answered \ufffd and \ufffd')
})
