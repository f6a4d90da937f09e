import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../db/client.ts'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { findProblem } from '../../shared/errors/errors.ts'
import { eventually } from '../harness/harness.ts'
import { type PostgresServer, startPostgres, startStandby } from '../harness/postgres.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const job = (id: string) => ({ id, job: 'none', payload: {}, priority: 0, createdAt: at, takenUntil: at })

describe('a database URL with several hosts', { tags: 'postgres' }, () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let db: Database
  beforeAll(async () => {
    primary = await startPostgres({ synchronous_commit: 'on' })
    standby = await startStandby(primary.url, 'second')
    const hosts = [standby, primary].map(({ url }) => new URL(url).host).join(',')
    const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`
    await migrateDatabase(url)
    db = openDatabase(url, { survives: 'crash' })
  })
  afterAll(async () => {
    await db?.close()
    await standby?.stop()
    await primary?.stop()
  })

  const write = (id: string) => db.tx(async (tx) => void (await tx.insert(outbox).values(job(id))))
  const count = () => db.read.$count(outbox)

  test('the primary is found behind a standby', async () => {
    await write('first')
    expect(await count()).toBe(1)
  })

  test('while there is no primary, each call fails as unavailable', async () => {
    await primary.kill()
    await expect(write('second')).rejects.toMatchObject({ problem: 'service_unavailable' })
    expect(findProblem(await count().catch((error: unknown) => error))).toMatchObject({
      problem: 'service_unavailable',
    })
  })

  test('a promoted standby is the primary for the same pools', async () => {
    const client = new pg.Client({ connectionString: standby.url })
    await client.connect()
    await client.query('SELECT pg_promote()')
    await client.end()
    await eventually(() =>
      write('third').then(
        () => true,
        () => false,
      ),
    )
    expect(await count()).toBe(2)
  })
})
