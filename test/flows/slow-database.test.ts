import { createServer, type Server } from 'node:http'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../api/app.ts'
import { createCaches } from '../../api/process/caches.ts'
import { type Database, openDatabase } from '../../db/client.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { type ApiResponse, createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService, tokenOf } from '../harness/harness.ts'
import { keepAlive } from '../harness/keep-alive.ts'
import { type SlowProxy, startSlowProxy } from '../servers/slow-proxy.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { newHolderKey, newWallet, type Wallet } from '../wallets/wallet.ts'

const deadlineMs = 2_000
/** Answers of the database after the deadline for which a request may wait: those that are on their way. */
const maxLateAnswers = 2

describe('a web process with a slow database', { tags: 'postgres' }, () => {
  let service: Service
  let proxy: SlowProxy
  let db: Database
  let server: Server
  let origin: string
  let configurationId: string
  beforeAll(async () => {
    service = await startService()
    configurationId = await compactConfiguration(service)
    proxy = await startSlowProxy(service.deps.config.databaseUrl)
    db = openDatabase(proxy.url, { survives: 'crash' })
    const config = { ...service.deps.config, credentialDeadlineMs: deadlineMs }
    server = createServer(keepAlive, createApp({ ...service.deps, config, db, caches: createCaches() }).callback())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  afterEach(() => {
    proxy.delayMs = 0
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await db.close()
    await proxy[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  /**
   * Each response comes by the deadline, and each 503 has Retry-After. After the deadline, the answers of the database are counted instead
   * of the time, which a busy machine prolongs.
   */
  async function inTime(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
    let answersInTime: number | undefined
    const timer = setTimeout(() => {
      answersInTime = proxy.answers
    }, deadlineMs)
    const response = await request()
    clearTimeout(timer)
    if (answersInTime !== undefined) expect(proxy.answers - answersInTime).toBeLessThanOrEqual(maxLateAnswers)
    expect([200, 503]).toContain(response.status)
    if (response.status === 503) expect(response.headers).toHaveProperty('retry-after')
    return response
  }

  test.each([750, 1_000, 1_500, 2_200])(
    'answers by the deadline at %i ms a round trip, and no offer is lost or used twice',
    async (delayMs) => {
      await collect(origin, await offer()) // connections are opened while the database is fast
      const { id, uri } = await offer()
      // A request can be committed although its answer came too late. A wallet with a DPoP key can repeat the token request.
      const key = await newDpopKey()
      const dpop = (request: { url: string; accessToken?: string }) => dpopProof({ key, ...request })
      const wallet = await newWallet(service, origin, uri, undefined, { dpop })
      const jwt = await proof(wallet)
      proxy.delayMs = delayMs
      const token = await inTime(() => wallet.redeem())
      const first =
        token.status === 200 ? await inTime(() => wallet.requestCredential({ proofs: { jwt: [jwt] } })) : token
      proxy.delayMs = 0

      if (token.status === 503) expect(await persist(() => wallet.redeem())).toMatchObject({ status: 200 })
      // A wallet may make another key for its next attempt. What was given up may take some time to end.
      const retry = async () => (await wallet.requestCredential({ proofs: { jwt: [await proof(wallet)] } })).status
      if (first.status === 503) await expect.poll(retry, { interval: 500 }).toBe(200)
      const ofOffer = and(eq(issuances.tenantId, service.id), eq(issuances.offerId, id))
      expect(await service.deps.db.read.$count(issuances, and(ofOffer, eq(issuances.state, 'issued')))).toBe(1)
    },
  )

  test('rolls back transactions that were not committed at the deadline', async () => {
    const { clientId, clientSecret, host } = service
    const operator = createApi(origin, host, await tokenOf(origin, host, clientId, clientSecret))
    const types = async () => (await operator.get(configurations)).body.data.map(({ type }: { type: string }) => type)
    const create = (type: string) => operator.post(configurations, { type, claimMappings: {} })
    expect(await persist(() => create('Fast'))).toMatchObject({ status: 201 })
    proxy.delayMs = 750
    expect(await inTime(() => create('Slow'))).toMatchObject({ status: 503 })
    proxy.delayMs = 0
    await eventually(async () => (await openTransactionCount()) === 0)
    expect(await types()).toContain('Fast')
    expect(await types()).not.toContain('Slow')
  })

  /** The transactions that other connections have open at the server. */
  async function openTransactionCount(): Promise<number> {
    const [row] = await service.deps.db.read
      .select({ count: sql<number>`count(*)::int` })
      .from(sql`pg_stat_activity`)
      .where(sql`datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`)
    return row!.count
  }

  const offer = () => newOffer(service, [configurationId])
  const proof = async (wallet: Wallet) => wallet.proof({ key: await newHolderKey() })

  async function collect(at: string, { uri }: { uri: string }) {
    const wallet = await newWallet(service, at, uri)
    await persist(() => wallet.redeem())
    expect(await persist(() => wallet.requestCredential())).toMatchObject({ status: 200 })
  }
})

const configurations = '/v2/credentials/compact/configurations'
