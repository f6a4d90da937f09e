import { withBackend } from 'bullmq'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../db/client.ts'
import { SqliteStatements, statementsOf } from '../../db/engine/sqlite-statements.ts'
import { createSqliteBackend } from '../../db/queue/backend.ts'
import { createQueueSignals } from '../../db/queue/signals.ts'
import { newDatabaseUrl } from './backends.ts'

async function openNew(): Promise<{ db: Database; other: Database }> {
  const url = await newDatabaseUrl()
  const [db, other] = [openDatabase(url, { survives: 'crash' }), openDatabase(url, { survives: 'crash' })]
  onTestFinished(async () => void (await Promise.all([db.close(), other.close()])))
  return { db, other }
}

const queueOf = (db: Database, name: string) => {
  const { Queue, Worker } = withBackend(createSqliteBackend(db))
  const queue = new Queue(name, { connection: {} })
  const worker = new Worker(name, async () => undefined, { connection: {}, autorun: false })
  onTestFinished(async () => void (await Promise.all([queue.close(), worker.close(true)])))
  return { queue, worker }
}

test('a run of a schedule is two transactions', { tags: 'sqlite' }, async () => {
  const { db, other } = await openNew()
  let transactions = 0
  const txAtOnce: Database['txAtOnce'] = (work, options) => {
    transactions++
    return db.txAtOnce(work, options)
  }
  const { worker } = queueOf({ ...db, txAtOnce }, 'upkeep')
  const { queue } = queueOf(other, 'upkeep')
  const template = { name: 'search', opts: { removeOnComplete: true } }
  await queue.upsertJobScheduler('search', { every: 60_000 }, template)

  const job = await worker.getNextJob('token', { block: false })
  expect(job).toMatchObject({ name: 'search', repeatJobKey: 'search' })
  const next = await queue.getJobs(['delayed'])
  expect(next).toMatchObject([{ name: 'search', repeatJobKey: 'search', opts: { removeOnComplete: true } }])
  await job?.moveToCompleted(undefined, 'token', false)

  expect(transactions).toBe(2)
  expect(await queue.getJobSchedulers()).toMatchObject([
    { iterationCount: 2, next: Number(next[0]?.id?.split(':')[2]) },
  ])
})

test('a process looks at all its queues with one statement after a commit', { tags: 'sqlite' }, async () => {
  const { db, other } = await openNew()
  const names = ['signing', 'publishing', 'integrations', 'delivery', 'analytics', 'upkeep']
  const signals = createQueueSignals(db)
  const { signal, abort } = cancellation()
  const waits = new Map(names.map((name) => [name, signals.waitForJob(name, 60_000, signal)]))
  const prepare = vi.spyOn(SqliteStatements.prototype, 'prepare')
  onTestFinished(() => prepare.mockRestore())

  await queueOf(other, 'upkeep').queue.add('one', {})
  expect(await waits.get('upkeep')).toBe(true)
  // Services of other tests in this process look at their queues, too.
  const calls = prepare.mock.calls.filter((_call, at) => prepare.mock.contexts[at] === statementsOf(db.read))
  const looks = calls.filter(([sql]) => sql.startsWith('SELECT') && sql.includes('queue_jobs'))
  // The other process commits several times, so that there can be several looks.
  expect(looks.length).toBeGreaterThan(0)
  for (const [sql] of looks) expect(sql).toContain('json_each(:queues)')
  abort()
  waits.delete('upkeep')
  expect(await Promise.all(waits.values())).toEqual(names.slice(1).map(() => false))
})

function cancellation() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
