import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { createLog } from '../../shared/log/log.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { type PostgresServer, startPostgres, startStandby } from '../harness/postgres.ts'

const durable = { synchronous_commit: 'on' }
const warnings: string[] = []

async function onServer(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

describe('a standby for reads', { tags: 'postgres' }, () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let service: Service
  beforeAll(async () => {
    primary = await startPostgres(durable)
    await migrateDatabase(primary.url)
    // A role like one in production, without rights of the server.
    await onServer(primary.url, 'CREATE ROLE app LOGIN; GRANT pg_read_all_data, pg_write_all_data TO app')
    standby = await startStandby(primary.url, 'reads', durable)
    const as = (url: string) => url.replace('postgres@', 'app@')
    const log = createLog({ process: 'test', level: 'silent', pretty: false })
    log.warn = ((fields: { reason: string }, message: string) => {
      if (message === 'reads go to the primary database') warnings.push(fields.reason)
    }) as typeof log.warn
    service = await startService({ log, env: { DATABASE_URL: as(primary.url), DATABASE_READ_URL: as(standby.url) } })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await standby?.stop()
    await primary?.stop()
  })

  const readsAtStandby = async () => {
    const read = await service.deps.db.standbyRead()
    const [row] = await read.select({ isStandby: sql<boolean>`pg_is_in_recovery()` }).from(sql`(VALUES (1)) AS nothing`)
    return row?.isStandby
  }
  const untilAtStandby = () => eventually(async () => (await readsAtStandby()) === true)
  const problems = async () => (await service.anonymous.get('/health/ready')).body.problems
  const standbyQueries = async () => {
    const [row] = await onServer(
      standby.url,
      "SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = 'postgres'",
    )
    return Number(row?.count)
  }

  /** Writes a user and reads the list at once, several times. */
  async function expectOwnWrites(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      const claims = { given_name: `Ada${time}`, family_name: crypto.randomUUID() }
      const { status, body } = await service.operator.post('/v1/users', { claims })
      expect(status).toBe(201)
      const answer = await service.operator.post('/v1/users/search', { claims, limit: 5 })
      expect(answer).toMatchObject({ status: 200, body: { data: [{ id: body.id }] } })
      const events = await service.operator.get('/v1/events?limit=5')
      expect(events.status).toBe(200)
    }
  }

  test('lists, searches and events are read at the standby, and contain each earlier write', async () => {
    await untilAtStandby()
    const before = await standbyQueries()
    await expectOwnWrites(30)
    await eventually(async () => (await standbyQueries()) >= before + 30)
    expect(await problems()).toEqual([])
    expect(await service.deps.db.measureStandby()).toMatchObject({ problem: undefined })
  })

  test('a tenant reads nothing of another tenant at the standby', async () => {
    const other = await service.addTenant()
    expect(await other.operator.get('/v1/users')).toMatchObject({ status: 200, body: { data: [] } })
    expect((await service.operator.get('/v1/users')).body.data.length).toBeGreaterThan(0)
  })

  test('while the standby is behind, reads go to the primary, and the lag is measured', async () => {
    await untilAtStandby()
    warnings.length = 0
    await onServer(standby.url, 'SELECT pg_wal_replay_pause()')
    await expectOwnWrites(5)
    expect(await readsAtStandby()).toBe(false)
    // The log has at most one line in 5 s. An earlier lag can have written one just before.
    await eventually(async () => (await readsAtStandby()) === false && warnings.includes('the standby is behind'))
    await eventually(async () => ((await service.deps.db.measureStandby())?.lagSeconds ?? 0) > 0.5)
    await onServer(standby.url, 'SELECT pg_wal_replay_resume()')
    await untilAtStandby()
    await eventually(async () => (await service.deps.db.measureStandby())?.lagSeconds === 0)
  })

  test('while the standby is out of reach, reads go to the primary, and readiness has the problem', async () => {
    await untilAtStandby()
    await standby.kill()
    await expectOwnWrites(5)
    expect(await service.anonymous.get('/health/ready')).toMatchObject({
      status: 200,
      body: { problems: ['The standby of DATABASE_READ_URL does not answer. All reads go to the primary'] },
    })
    await standby.start()
    await untilAtStandby()
    expect(await problems()).toEqual([])
  })

  test('a promoted standby is not read, because it has another history', async () => {
    await untilAtStandby()
    await onServer(standby.url, 'SELECT pg_promote()')
    await expectOwnWrites(2)
    expect(await readsAtStandby()).toBe(false)
    expect(await problems()).toEqual([
      'DATABASE_READ_URL names no standby of DATABASE_URL. All reads go to the primary',
    ])
  })
})

test('a standby that a failover has left behind is named and not read', { tags: 'postgres' }, async () => {
  const former = await startPostgres(durable)
  await migrateDatabase(former.url)
  const promoted = await startStandby(former.url, 'promoted', durable)
  const left = await startStandby(former.url, 'left', durable)
  try {
    await onServer(promoted.url, 'SELECT pg_promote()')
    // The former primary goes on, so that the position of its standby is greater than that of the new primary.
    await onServer(former.url, "CREATE TABLE more AS SELECT repeat('x', 1000) AS text FROM generate_series(1, 20000)")
    const position = async (url: string, of: string) =>
      Number((await onServer(url, `SELECT ${of} - '0/0'::pg_lsn AS position`))[0]?.position)
    const reached = await position(former.url, 'pg_current_wal_lsn()')
    await eventually(async () => (await position(left.url, 'pg_last_wal_replay_lsn()')) >= reached)
    await former.kill()
    await using service = await startService({ env: { DATABASE_URL: promoted.url, DATABASE_READ_URL: left.url } })
    expect(await position(promoted.url, 'pg_current_wal_lsn()')).toBeLessThan(reached)
    const { body } = await service.operator.post('/v1/users', { claims: { given_name: 'Ada' } })
    expect((await service.operator.get('/v1/users')).body.data).toMatchObject([{ id: body.id }])
    expect((await service.anonymous.get('/health/ready')).body.problems).toEqual([
      expect.stringContaining('did not follow a failover'),
    ])
  } finally {
    for (const server of [left, promoted, former]) await server.stop()
  }
})
