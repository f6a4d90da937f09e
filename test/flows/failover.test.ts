import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, onTestFailed, test } from 'vitest'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { type IssuedCredential, issuances } from '../../db/tables/issuance/issuances.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { openCredentials } from '../../shared/jobs/answered-credentials.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { startPgbouncer } from '../harness/pgbouncer.ts'
import { type PostgresServer, startPostgres, startStandby } from '../harness/postgres.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startReceiver } from '../servers/receiver.ts'
import { type Collected, collectPatiently } from '../wallets/persistent-wallet.ts'
import { newHolderKey } from '../wallets/wallet.ts'

/** `npm run failover-drill` repeats the drill and prints each. */
const isLong = process.env.CI_FULL === '1'
const [rounds, wallets, collectedEach] = isLong ? [3, 16, 12] : [1, 8, 3]
/** Rows that a relay had taken are taken again after a minute. */
const maxRecoveryMs = 240_000

async function onServer(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/** A primary whose commits wait for the standby. */
async function startPair() {
  const durable = { synchronous_commit: 'on', max_connections: '200' }
  const primary = await startPostgres(durable)
  // With the default of 5 s, a promotion sometimes takes as long.
  const standby = await startStandby(primary.url, 'second', { ...durable, wal_retrieve_retry_interval: '500ms' })
  await onServer(primary.url, "ALTER SYSTEM SET synchronous_standby_names = 'second'")
  await onServer(primary.url, 'SELECT pg_reload_conf()')
  const state = 'SELECT sync_state FROM pg_stat_replication'
  await eventually(async () => (await onServer(primary.url, state))[0]?.sync_state === 'sync')
  return {
    primary,
    standby,
    url: `postgres://postgres@${new URL(primary.url).host},${new URL(standby.url).host}/postgres`,
    async [Symbol.asyncDispose]() {
      await standby.stop()
      await primary.stop()
    },
  }
}

/** Kills all processes of a server with SIGKILL, as the loss of its machine does. */
async function loseMachine(server: PostgresServer): Promise<void> {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ')
  for (const pid of [String(server.pid), ...children]) process.kill(Number(pid), 'SIGKILL')
  await server.kill()
}

/** Collects credentials with several wallets until `stop`. */
async function startWallets(service: Processes, configurationId: string) {
  const collected: Collected[] = []
  let isOver = false
  const keys = await Promise.all(Array.from({ length: wallets }, () => newHolderKey()))
  const loops = keys.map(async (key) => {
    while (!isOver) collected.push(await collectPatiently(service, [configurationId], key))
  })
  return {
    collected,
    /** Waits until so many more credentials have been collected. */
    async untilCollected(more: number) {
      const before = collected.length
      await eventually(async () => collected.length >= before + more)
    },
    async stop() {
      isOver = true
      await Promise.all(loops)
    },
  }
}

/** Each credential of a wallet is in the database, and each offer has one. */
async function expectRecorded({ db, secrets }: Processes, collected: Collected[]): Promise<void> {
  const issued = await db.read.select().from(issuances).where(eq(issuances.state, 'issued'))
  const byOffer = Map.groupBy(issued, ({ offerId }) => offerId)
  expect([...byOffer.values()].filter(({ length }) => length > 1)).toEqual([])
  const lost = collected.flatMap(({ offerId, held }) => {
    const [row] = byOffer.get(offerId) ?? []
    const recorded = row && openCredentials<IssuedCredential>(secrets, row.id, row.credentials ?? [])[0]?.credential
    return [...held.values()].filter((credential) => credential !== recorded)
  })
  expect(lost).toEqual([])
  expect(byOffer.size).toBe(collected.length)
}

async function expectDelivered({ db }: Processes, receiver: Awaited<ReturnType<typeof startReceiver>>, count: number) {
  const isDelivered = eq(deliveries.state, 'delivered')
  await eventually(async () => (await db.read.$count(outbox)) === 0, maxRecoveryMs)
  await eventually(async () => (await db.read.$count(deliveries, isDelivered)) === count, maxRecoveryMs)
  const events = receiver.deliveries.map(({ body }) => `${body.event.payload.credentialId} ${body.event.id}`)
  expect(new Set(events).size).toBe(count)
}

/** Each server behind a PgBouncer of its own. */
async function startPgbouncers({ primary, standby }: { primary: PostgresServer; standby: PostgresServer }) {
  const settings = { pool_mode: 'session', default_pool_size: 100, query_wait_timeout: 5, server_login_retry: 1 }
  const both = await Promise.all([primary, standby].map(({ url }) => startPgbouncer(url, settings)))
  const hosts = both.map(({ addressOf }) => new URL(addressOf(primary.url)).host)
  return {
    url: `postgres://postgres@${hosts.join(',')}/postgres`,
    async [Symbol.asyncDispose]() {
      for (const each of both) await each[Symbol.asyncDispose]()
    },
  }
}

const none = { url: undefined, async [Symbol.asyncDispose]() {} }

async function drill({ isPooled }: { isPooled: boolean }): Promise<void> {
  await using pair = await startPair()
  await migrateDatabase(pair.url)
  await using pgbouncers = isPooled ? await startPgbouncers(pair) : none
  await using receiver = await startReceiver()
  await using service = await startProcesses({ DATABASE_URL: pgbouncers.url ?? pair.url })
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const { operator } = service.tenant
  const configurationId = await compactConfiguration(service.tenant)
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })

  const load = await startWallets(service, configurationId)
  await load.untilCollected(collectedEach * wallets)
  const before = load.collected.length
  const lostAt = performance.now()
  await loseMachine(pair.primary)
  const during = operator.get('/v1/users')
  await onServer(pair.standby.url, 'SELECT pg_promote()')
  const promotedMs = performance.now() - lostAt
  await eventually(async () => (await operator.post('/v1/users', { claims: { given_name: 'Ada' } })).status === 201)
  const servesMs = performance.now() - lostAt
  expect([200, 503]).toContain((await during).status)
  await eventually(async () => load.collected.length > before + wallets)
  const issuesMs = performance.now() - lostAt
  await load.untilCollected(collectedEach * wallets)
  await load.stop()

  expect(load.collected.flatMap(({ unexpected }) => unexpected)).toEqual([])
  await expectRecorded(service, load.collected)
  await expectDelivered(service, receiver, load.collected.length)
  const times = { promotedMs, servesMs, issuesMs }
  const rounded = Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Math.round(ms)]))
  console.info({ isPooled, credentials: load.collected.length, lost: 0, ...rounded })
}

describe('the primary is lost, and the standby is promoted under load', { tags: 'postgres' }, () => {
  for (let round = 1; round <= rounds; round++) {
    test(`both are reached directly (${round})`, () => drill({ isPooled: false }))
    test(`each is behind PgBouncer, which stays (${round})`, { tags: ['full', 'pgbouncer'] }, () =>
      drill({ isPooled: true }),
    )
  }
})
