import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { serveQueue } from '../../workers/serve.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { limitPages, maxPages } from '../harness/limit-pages.ts'

test('a worker pauses when the database of its queue is full, and continues afterwards', {
  tags: 'sqlite',
}, async () => {
  const database = await openNewDatabase()
  const secrets = createSecrets([randomBytes(32)])
  const broker = createDatabaseBroker(database.db, secrets)
  const bus = broker.openBus()
  const logged: { msg: string; queue?: string }[] = []
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) })
  let runs = 0
  const handlers = {
    async purgeExpired() {
      if (runs++ > 0) return
      await limitPages(database.db, 1)
      // The file has no room for the reason of the failure.
      throw new Error('x'.repeat(4_000_000))
    },
  }
  await bus.sendMany('purgeExpired', [{ payload: {} }, { payload: {} }])
  const consumer = broker.openConsumer('upkeep')
  const worker = serveQueue({ queue: 'upkeep', handlers, consumer, secrets, log, concurrency: 1, takeoverMs: 60_000 })
  onTestFinished(async () => {
    await worker.close()
    await bus.close()
    await database.drop()
  })

  await new Promise<void>((resolve) => worker.once('error', () => resolve()))
  expect(worker.isPaused()).toBe(true)
  expect(logged).toContainEqual(expect.objectContaining({ msg: 'database unavailable', queue: 'upkeep' }))
  expect(runs).toBe(1)
  await limitPages(database.db, maxPages)
  await eventually(async () => runs === 2)
})
