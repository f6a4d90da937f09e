import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../db/client.ts'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { param, prepared } from '../../db/engine/prepared.ts'
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { findProblem } from '../../shared/errors/errors.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { startSlowProxy } from '../servers/slow-proxy.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const newJob = (id: string) => ({ id, job: 'none', payload: {}, priority: 0, createdAt: at, takenUntil: at })

describe('a failing PostgreSQL', { tags: 'postgres' }, () => {
  let server: PostgresServer
  let db: Database
  beforeAll(async () => {
    server = await startPostgres()
    await migrateDatabase(server.url)
    db = openDatabase(server.url, { survives: 'crash' })
  })
  afterAll(async () => {
    await db?.close()
    await server?.stop()
  })

  const killConnections = () =>
    onServer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')

  async function onServer(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }

  const write = (id: string, pauseMs = 0) =>
    db.tx(async (tx) => {
      await tx.insert(outbox).values(newJob(id))
      await sleep(pauseMs)
    })
  const read = () => db.read.$count(outbox)

  test('repeatedly killed connections, in use and idle, are released, and every reported result is true', async () => {
    for (let round = 0; round < 30; round++) {
      const ids = Array.from({ length: 8 }, (_, each) => `${round} ${each}`)
      const writing = Promise.allSettled(ids.map((id, each) => write(id, each)))
      const reading = Promise.allSettled(ids.map(read))
      await sleep(round % 5)
      await killConnections()
      const writes = await writing
      for (const { reason } of [...writes, ...(await reading)].filter(isRejected))
        expect(findProblem(reason)).toBeInstanceOf(DatabaseUnavailable)
      const stored = new Set((await db.read.select({ id: outbox.id }).from(outbox)).map(({ id }) => id))
      for (const [each, { status }] of writes.entries()) if (status === 'fulfilled') expect(stored).toContain(ids[each])
    }
    await Promise.all(Array.from({ length: 16 }, (_, each) => write(`after ${each}`, 5)))
    await Promise.all(Array.from({ length: 16 }, read))
    const [{ count } = {}] = await onServer(
      "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'",
    )
    expect(Number(count)).toBeLessThanOrEqual(17)
  })

  test('a transaction whose connection is lost before its commit runs again once', async () => {
    let runs = 0
    await db.tx(async (tx) => {
      await tx.insert(outbox).values(newJob('again'))
      if (++runs === 1) await killConnections()
      await tx.update(outbox).set({ priority: runs }).where(eq(outbox.id, 'again'))
    })
    const rows = await db.read.select().from(outbox).where(eq(outbox.id, 'again'))
    expect([runs, rows.map(({ priority }) => priority)]).toEqual([2, [2]])
  })

  test('a transaction on a connection without answers fails after one time limit of an answer, not after two', async () => {
    await using proxy = await startSlowProxy(server.url)
    const limitMs = 1_000
    const lossy = openDatabase(`${proxy.url}?query_timeout=${limitMs}`, { survives: 'crash' })
    const use = () => lossy.tx((tx) => tx.$count(outbox))
    await use()
    proxy.loseConnections()
    const failing = use().catch((error: unknown) => error)
    // Timers run in the order of their times, also on a slow machine.
    expect(await Promise.race([failing, sleep(1.5 * limitMs, 'waits')])).toBeInstanceOf(DatabaseUnavailable)
    await use()
    await lossy.close()
  })

  test('temporary refusals of the server are reported as unavailable within moments, and the client recovers with the server', async () => {
    await write('before')
    await server.kill()
    for (const call of [() => write('away'), read, () => db.ping()]) {
      const failure = await call().catch((error: unknown) => error)
      expect(findProblem(failure)).toMatchObject({ status: 503, retryAfterSeconds: 2 })
    }
    await server.start()
    await write('back')
    expect(await read()).toBeGreaterThan(0)
  })

  test('a query that waits for a connection fails after five seconds', async () => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const taken = Array.from({ length: 8 }, () => db.tx(() => over))
    await expect(write('waiting')).rejects.toThrow(DatabaseUnavailable)
    resolve()
    await Promise.all(taken)
    await write('not waiting')
  })

  test('a server without free connections counts as an unavailable database', async () => {
    await onServer('CREATE ROLE guest LOGIN CONNECTION LIMIT 0; GRANT ALL ON ALL TABLES IN SCHEMA public TO guest')
    const guest = openDatabase(server.url.replace('postgres@', 'guest@'), { survives: 'crash' })
    await expect(guest.ping()).rejects.toThrow(DatabaseUnavailable)
    await expect(guest.tx(async (tx) => tx.select().from(outbox))).rejects.toThrow(DatabaseUnavailable)
    await guest.close()
  })

  test('a transaction that ignores a failed statement fails', async () => {
    const failed = db.tx(async (tx) => {
      await tx.insert(outbox).values(newJob('lost without a word'))
      await tx
        .insert(outbox)
        .values(newJob('lost without a word'))
        .catch(() => undefined)
    })
    await expect(failed).rejects.toThrow(/a statement failed/)
    await write('next')
  })

  test('a statement after a failed one is a bug: it is reported as such and not repeated', async () => {
    let runs = 0
    const failed = db.tx(async (tx) => {
      runs++
      await tx.insert(outbox).values(newJob('twice'))
      const again = tx.insert(outbox).values(newJob('twice'))
      await again.catch(() => undefined)
      await tx.select().from(outbox)
    })
    expect(findProblem(await failed.catch((error: unknown) => error))).toBeUndefined()
    expect(runs).toBe(1)
  })

  test('a prepared query is built once and prepared on the server', async () => {
    let built = 0
    const byId = prepared('test_kept', (tx) => {
      built++
      return tx
        .select()
        .from(outbox)
        .where(eq(outbox.id, param('id')))
    })
    const seen: unknown[] = []
    for (let turn = 0; turn < 10; turn++) {
      await db.tx(async (tx) => {
        await byId(tx, { id: 'back' })
        seen.push(...(await tx.select({ name: sql`name` }).from(sql`pg_prepared_statements`)))
      })
    }
    expect(built).toBe(1)
    expect(seen.filter((each) => (each as { name: string }).name === 'test_kept')).toHaveLength(10)
  })

  test('statements and transactions have timeouts, indexes are preferred, and no start parameter is one that PgBouncer refuses', async () => {
    const limits = {
      statement: sql`current_setting('statement_timeout')`,
      idle: sql`current_setting('idle_in_transaction_session_timeout')`,
      whole: sql`current_setting('enable_seqscan')`,
    }
    const nothing = sql`(VALUES (1)) AS nothing`
    const expected = [{ statement: '30s', idle: '30s', whole: 'off' }]
    expect(await db.read.select(limits).from(nothing)).toEqual(expected)
    expect(await db.tx((tx) => tx.select(limits).from(nothing))).toEqual(expected)
    expect(await startUpParameters()).toEqual(['client_encoding', 'database', 'user'])
  })
})

function isRejected(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  return result.status === 'rejected'
}

/** The names of the parameters of the first message (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
async function startUpParameters(): Promise<string[]> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const db = openDatabase(`postgres://user@127.0.0.1:${port}/database`, { survives: 'crash' })
  const pinged = db.ping().catch(() => undefined)
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [message] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  server.close()
  await pinged
  await db.close()
  const words = message.subarray(8).toString().split('\0')
  return words.filter((word, position) => position % 2 === 0 && word !== '').sort()
}
