import { Queue } from 'bullmq'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseQueues } from '../../db/queue/database-queues.ts'
import { queueSchema } from '../../db/queue/queue-schema.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'

const queue = 'upkeep'

/** Opens a database with the queues of one process, whose connection for signals is open. */
async function start() {
  const { db, url, drop } = await openNewDatabase()
  const signals = db.postgres!.openSignals()
  const queues = openDatabaseQueues(db, signals)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let signalCount = 0
  const unlisten = signals.listen('other', () => signalCount++)
  await eventually(async () => signalCount > 0)
  onTestFinished(async () => {
    unlisten()
    await queues.close()
    await client.end()
    await drop()
  })
  return { client, queues }
}

test('queues are used while a later version adds a column to their jobs', { tags: 'postgres' }, async () => {
  const { client, queues } = await start()
  const jobs = new Queue(queue, { connection: {}, skipMetasUpdate: true }, queues.backend)
  await jobs.add('one', {}, { jobId: 'first' })
  const readOnAllConnections = () => Promise.all(Array.from({ length: 20 }, () => jobs.getJob('first')))
  await readOnAllConnections()
  await client.query(`ALTER TABLE ${queueSchema}.job ADD COLUMN of_later_version integer`)
  expect((await readOnAllConnections()).map((job) => job?.name)).toEqual(Array(20).fill('one'))
})
