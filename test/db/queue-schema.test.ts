import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { queueSchema, requireQueueSchema } from '../../db/queue/queue-schema.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'

/** Opens a client of a migrated database of its own. */
async function newClient() {
  const { url, drop } = await openNewDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(drop)
  onTestFinished(() => client.end())
  return { url, client }
}

const address = 'db.example'

describe('the schema of the queues in PostgreSQL', { tags: 'postgres' }, () => {
  test('is created by the migration, which does nothing when it runs again', async () => {
    const { url, client } = await newClient()
    await requireQueueSchema(client, address)
    const read = async () =>
      (await client.query(`SELECT xmin::text, * FROM ${queueSchema}.migration ORDER BY version`)).rows
    const before = await read()
    await migrateDatabase(url)
    expect(await read()).toEqual(before)
  })

  test('is required with a message that names the command', async () => {
    const { url, client } = await newClient()
    await client.query(`DROP SCHEMA ${queueSchema} CASCADE`)
    const missing = `The database at ${address} is not migrated: it lacks the queues of this version. Run \`node db/cli/migrate.ts\` with the same DATABASE_URL.`
    await expect(requireQueueSchema(client, address)).rejects.toThrow(missing)
    await migrateDatabase(url)
    await requireQueueSchema(client, address)
    await client.query(`DELETE FROM ${queueSchema}.migration WHERE version > 3`)
    await expect(requireQueueSchema(client, address)).rejects.toThrow(missing)
  })

  test('is required with its function that takes a job, which the migration creates again', async () => {
    const { url, client } = await newClient()
    await client.query(`DROP FUNCTION ${queueSchema}.take_job`)
    await expect(requireQueueSchema(client, address)).rejects.toThrow('Run `node db/cli/migrate.ts`')
    await migrateDatabase(url)
    await requireQueueSchema(client, address)
  })

  test('of a later version of BullMQ is refused by processes and by the migration, which changes nothing', async () => {
    const { url, client } = await newClient()
    await client.query(
      `INSERT INTO ${queueSchema}.migration (version, name, min_client_version) VALUES (900, 'later', 7)`,
    )
    const later =
      /^The queues in the database at .* are of BullMQ 7, and this version has BullMQ 6\. Start a later version\.$/
    await expect(requireQueueSchema(client, address)).rejects.toThrow(later)
    await expect(migrateDatabase(url)).rejects.toThrow(later)
  })

  test('that the user may not use is reported with its name', async () => {
    const { client } = await newClient()
    await client.query(`CREATE ROLE without_queues; SET ROLE without_queues`)
    onTestFinished(async () => void (await client.query('RESET ROLE; DROP ROLE without_queues')))
    await expect(requireQueueSchema(client, address)).rejects.toThrow(
      `The user of DATABASE_URL may not use the schema ${queueSchema} of the database at ${address}.`,
    )
  })

  test('sends no notifications of events, which no process reads', async () => {
    const { client } = await newClient()
    const channels: string[] = []
    client.on('notification', ({ channel }) => channels.push(channel))
    await client.query(`SET search_path = ${queueSchema}; LISTEN bullmq_events; LISTEN bullmq_jobs`)
    await client.query(
      `SELECT add_job('upkeep', 'one', 'one', '{}', '{}', 0, 0, 1, 1, NULL, NULL, NULL, NULL, NULL, false)`,
    )
    await eventually(async () => channels.length > 0)
    expect(channels).toEqual(['bullmq_jobs'])
  })

  test('keeps no events of jobs', async () => {
    const { client } = await newClient()
    await client.query(`SET search_path = ${queueSchema}`)
    await client.query(`SELECT publish_event('upkeep', 'added', '{}')`)
    await client.query(`INSERT INTO event (queue, event, created_at_ms) VALUES ('upkeep', 'added', 1)`)
    expect((await client.query('SELECT count(*)::int AS events FROM event')).rows).toEqual([{ events: 0 }])
  })
})
