import { Queue, Worker } from 'bullmq'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabaseQueues } from '../../db/queue/database-queues.ts'
import { createJobNotifications } from '../../db/queue/job-notifications.ts'
import { queueSchema } from '../../db/queue/queue-schema.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'

const queue = 'upkeep'
const maxWaitSeconds = 5

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
  return { client, signals, queues }
}

describe('a wait for a job on PostgreSQL', { tags: 'postgres' }, () => {
  test('ends for a job that was added before the process listened', async () => {
    const { client, signals } = await start()
    const notifications = createJobNotifications(signals.listen)
    onTestFinished(notifications.close)
    const seen = notifications.count(queue)
    await client.query(`SELECT pg_notify('bullmq_jobs', '${queue}')`)
    const { signal } = new AbortController()
    expect(await notifications.waitForOther(queue, seen, maxWaitSeconds * 1_000, signal)).toBe(true)
  })

  test('ends for a job that was added during a look, although a later look took another one', async () => {
    const { client, queues } = await start()
    const [backend, witness] = [openBackend(), openBackend()]
    function openBackend() {
      return queues.backend(queue, { connection: {} })
    }
    await client.query(`SET search_path = ${queueSchema}`)
    await client.query(holdLooks)
    await eventually(async () => {
      await witness.moveToActive('witness')
      return (await witness.waitForJob(0.001)) === null
    })
    const jobs = new Queue(queue, { connection: {}, skipMetasUpdate: true }, queues.backend)

    await client.query('BEGIN; SELECT pg_advisory_xact_lock(7)')
    const look = backend.moveToActive('earlier')
    await eventually(async () => {
      const { rows } = await client.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
      return rows.length === 1
    })
    await jobs.addBulk([
      { name: 'one', data: {} },
      { name: 'other', data: {} },
    ])
    expect(await witness.waitForJob(maxWaitSeconds)).not.toBeNull()
    expect((await backend.moveToActive('later'))[0]).toMatchObject({ name: 'one' })
    await client.query('COMMIT')
    expect((await look)[0]).toBeNull()

    expect(await backend.waitForJob(maxWaitSeconds)).not.toBeNull()
    expect((await backend.moveToActive('last'))[0]).toMatchObject({ name: 'other' })
  })
})

test('a job whose notification is lost runs', { tags: 'postgres' }, async () => {
  const { client, queues } = await start()
  const ran: string[] = []
  const worker = new Worker(queue, async ({ name }) => void ran.push(name), { connection: {} }, queues.backend)
  onTestFinished(() => worker.close())
  const jobs = new Queue(queue, { connection: {}, skipMetasUpdate: true }, queues.backend)
  await jobs.add('notified', {})
  await eventually(async () => ran.length === 1)
  await client.query(
    `INSERT INTO ${queueSchema}.job (queue, id, seq, name, state, added_at_ms) VALUES ($1, 'silent', 1, 'silent', 'waiting', 1)`,
    [jobs.qualifiedName],
  )
  await eventually(async () => ran.length === 2)
  expect(ran).toEqual(['notified', 'silent'])
})

test('queues are used while a later version adds a column to their jobs', { tags: 'postgres' }, async () => {
  const { client, queues } = await start()
  const jobs = new Queue(queue, { connection: {}, skipMetasUpdate: true }, queues.backend)
  await jobs.add('one', {}, { jobId: 'first' })
  const readOnAllConnections = () => Promise.all(Array.from({ length: 20 }, () => jobs.getJob('first')))
  await readOnAllConnections()
  await client.query(`ALTER TABLE ${queueSchema}.job ADD COLUMN of_later_version integer`)
  expect((await readOnAllConnections()).map((job) => job?.name)).toEqual(Array(20).fill('one'))
})

/** A look that finds no job waits for a lock before it ends. */
const holdLooks = `
  ALTER FUNCTION take_job(text, text, bigint, bigint, text) RENAME TO held_take_job;
  CREATE FUNCTION take_job(p_queue text, p_token text, p_lock_ms bigint, p_now bigint, p_name text)
    RETURNS TABLE (taken job, due_at bigint, is_more boolean) LANGUAGE plpgsql AS $$
    DECLARE
      look record;
    BEGIN
      SELECT * INTO look FROM held_take_job(p_queue, p_token, p_lock_ms, p_now, p_name);
      IF (look.taken).id IS NULL THEN PERFORM pg_advisory_xact_lock_shared(7); END IF;
      RETURN QUERY SELECT look.taken, look.due_at, look.is_more;
    END $$`
