import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { translateError } from '../../db/engine/unavailable.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, startService } from '../harness/harness.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startReceiver } from '../servers/receiver.ts'
import { collectPatiently, persist } from '../wallets/persistent-wallet.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'

describe('web and worker processes survive a database outage', { tags: 'postgres' }, () => {
  let server: PostgresServer
  let service: Processes
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let configurationId: string
  beforeAll(async () => {
    receiver = await startReceiver()
    server = await startPostgres()
    await migrateDatabase(server.url)
    // A request whose job waits for the database ends after this time, and the wallet repeats it.
    service = await startProcesses({ DATABASE_URL: server.url, CREDENTIAL_DEADLINE_MS: '4000' })
    configurationId = await webConfiguration(service.tenant)
    const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
    expect(await service.tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await server?.stop()
    await receiver?.[Symbol.asyncDispose]()
  })

  test('connections are killed under load, and no process dies and no connection is lost permanently', async () => {
    onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
    const key = await newHolderKey()
    let isOver = false
    const collecting = Array.from({ length: 6 }, async () => {
      const all: Awaited<ReturnType<typeof collectPatiently>>[] = []
      while (!isOver) all.push(await collectPatiently(service, [configurationId], key))
      return all
    })
    for (let round = 0; round < 40; round++) {
      await eventually(async () => (await connectionCount()) > 3)
      await onServer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    }
    isOver = true
    const collected = (await Promise.all(collecting)).flat()
    // A wallet can get the error of a used code if the response was lost with the connection, but never a 500.
    const statuses = collected.flatMap(({ unexpected }) => unexpected.map(({ status }) => status))
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(collected.some(({ held }) => held.size > 0)).toBe(true)
    await expectAllToWork()
    expect(await connectionCount()).toBeLessThanOrEqual(4 * 16)
  })

  test('the server is stopped and started: 503 in between, and everything works afterwards', async () => {
    onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
    const { operator, anonymous } = service.tenant
    const published = ['/.well-known/openid-credential-issuer', await newRevocationList()]
    for (const path of published) {
      expect(await anonymous.get(path)).toMatchObject({
        status: 200,
        headers: { 'cache-control': expect.stringContaining('max-age=60') },
      })
    }
    const offer = await newOffer(service.tenant, [configurationId])
    await server.kill()
    const killedAt = performance.now()
    for (const call of [
      () => operator.get('/v1/users'),
      () => operator.post('/v1/users', { claims: {} }),
      () => newWallet(service.tenant, service.origin, offer.uri).then((wallet) => wallet.redeem()),
    ]) {
      expect(await call()).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    }
    for (const path of published) {
      const refused = await eventually(async () => {
        const askedAt = performance.now()
        const answer = await anonymous.get(path)
        // No answer is older than a second, so none from before the outage answers a later request.
        if (answer.status === 200) expect(askedAt - killedAt).toBeLessThan(1_000)
        return answer.status !== 200 && answer
      })
      expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    }
    expect(await anonymous.get('/health/live')).toMatchObject({ status: 200 })
    await server.start()
    await expectAllToWork()
    expect(service.errorOutput()).not.toMatch(/ended by/)
  })

  /** The open connections of the service. */
  async function connectionCount(): Promise<number> {
    const [{ count } = {}] = await onServer(
      "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    )
    return Number(count)
  }

  /** Issuance through all three processes, and its webhook. */
  async function expectAllToWork(): Promise<void> {
    await persist(() => service.tenant.operator.get('/v1/users'))
    const { offerId, held, unexpected } = await collectPatiently(service, [configurationId], await newHolderKey())
    expect(unexpected.map(({ status }: ApiResponse) => status)).toEqual([])
    expect(held.size).toBe(1)
    const isTold = async () => receiver.deliveries.some(({ body }) => body.event.payload.credentialOfferId === offerId)
    await eventually(isTold)
    expect(service.errorOutput()).not.toMatch(/ended by/)
  }

  /** Issues a revocable credential. Returns the path of the list that has its status. */
  async function newRevocationList(): Promise<string> {
    const { anonymous } = service.tenant
    const revocable = await compactConfiguration(service.tenant, { revocable: true })
    await collectPatiently(service, [revocable], await newHolderKey())
    const { body } = await anonymous.get('/v2/credentials/compact/revocation-lists')
    const { pathname } = new URL(body[0].data[0].url)
    await eventually(async () => (await anonymous.get(pathname)).status === 200)
    return pathname
  }

  async function onServer(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }
})

describe('an SQLite database that refuses writes', { tags: 'sqlite' }, () => {
  test('because of a lock: 503 after ten seconds while reads continue, and writes work afterwards', async () => {
    await using service = await startService({ roles: ['signing'] })
    const { operator, deps } = service
    const other = new SqliteDatabase(deps.config.databaseUrl.slice('file:'.length))
    other.exec('BEGIN IMMEDIATE')
    const writing = operator.post('/v1/users', { claims: {} })
    expect(await operator.get('/v1/users')).toMatchObject({ status: 200 })
    expect(await writing).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { code: 'ServiceUnavailable' },
    })
    other.exec('ROLLBACK')
    other.close()
    expect(await operator.post('/v1/users', { claims: {} })).toMatchObject({ status: 201 })
  })

  test('because of a full disk counts as unavailable, and a wrong statement does not', () => {
    const database = new SqliteDatabase(':memory:')
    database.exec('CREATE TABLE kept (value TEXT); PRAGMA max_page_count = 2')
    const failureOf = (text: string) => {
      try {
        database.exec(text)
      } catch (error) {
        return translateError(error)
      }
    }
    expect(failureOf(`INSERT INTO kept VALUES ('${'x'.repeat(100_000)}')`)).toMatchObject({ status: 503 })
    expect(failureOf('INSERT INTO missing VALUES (1)')).toBeInstanceOf(SqliteDatabase.SqliteError)
  })
})
