import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createCommands, required } from '../harness/commands.ts'
import { newDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { onServer } from '../harness/on-server.ts'
import { freePort } from '../harness/redis.ts'

/** Returns the statements of docs/installation.md for a user. */
function documentedGrants(user: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/installation.md'), 'utf8')
  const [, statements = ''] = /```sql\n(GRANT [\s\S]*?)```/.exec(page) ?? []
  return statements.replaceAll(' TO service;', ` TO "${user}";`)
}

test('all processes with queues in the database work with the documented rights of a user', {
  tags: 'postgres',
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-user-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const { url, drop } = await newDatabase(dir)
  const user = `service-${randomUUID()}`
  await onServer(url, `CREATE ROLE "${user}" LOGIN; ${documentedGrants(user)}`)
  onTestFinished(async () => {
    await drop()
    await onServer(process.env.DATABASE_URL ?? '', `DROP ROLE "${user}"`)
  })
  const asUser = new URL(url)
  asUser.username = user
  await sendSeveral(asUser.href)

  const [port, opsPort] = [String(await freePort()), String(await freePort())]
  const settings = { DATABASE_URL: asUser.href, QUEUE: 'database', ROLES: 'all', PORT: port, OPS_PORT: opsPort }
  const commands = createCommands({ ...required, ...settings, DATA_DIR: dir })
  onTestFinished(commands.end)
  const { output } = commands.start('api/combined/main.ts', {})
  expect(await commands.run('api/cli/init.ts', {})).toMatchObject({ code: 0, stderr: '' })
  const repeated = 'SELECT count(*)::int AS schedules FROM trustwright_queues.scheduler WHERE iteration_count > 1'
  await eventually(async () => (await onServer(url, repeated)).rows[0].schedules > 5)
  expect(output()).not.toMatch(/permission denied|must be owner/)
})

/** Adds jobs to a queue that had none. */
async function sendSeveral(url: string): Promise<void> {
  const db = openDatabase(url, { survives: 'crash' })
  const bus = createDatabaseBroker(db, createSecrets([randomBytes(32)])).openBus()
  try {
    await bus.sendMany('queueDueDeliveries', [{ payload: {} }, { payload: {} }])
  } finally {
    await bus.close()
    await db.close()
  }
}
