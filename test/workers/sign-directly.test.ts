import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { cancelSigned } from '../../db/repos/credentials/signed.ts'
import { ageOf } from '../../db/retention/table-rules.ts'
import { signedCredentials } from '../../db/tables/credentials/signed-credentials.ts'
import { storedCredentials, storedCredentialTypes } from '../../db/tables/credentials/stored-credentials.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { statusLists } from '../../db/tables/status/lists.ts'
import { tenants } from '../../db/tables/tenancy/tenants.ts'
import { decodeCwtCredential } from '../../shared/formats/cwt-verify.ts'
import type { SignatureRequest } from '../../shared/jobs/payloads.ts'
import { NeverSent } from '../../shared/jobs/signing-queue.ts'
import { commitSignatures } from '../../workers/signing/direct/commit-signatures.ts'
import { signDirectly } from '../../workers/signing/direct/sign-directly.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { waitingForLocks } from '../harness/locks.ts'
import { signingDeps } from '../harness/published.ts'
import { sign } from '../harness/signing.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

function asked(profile: 'compact' | 'web-semantic', extra: Partial<SignatureRequest> = {}): SignatureRequest {
  const issuedAt = service.clock.now().getTime()
  const claims = { given_name: 'Ada' }
  const jsonLd = { types: ['Course'], issuer: {}, contexts: [], validFrom: issuedAt, persist: true }
  return {
    ...{ tenantId: service.id, credentialId: randomUUID(), issuerDid: service.did, issuedAt },
    ...{ revocable: true, isRevoked: false },
    content: profile === 'compact' ? { profile, claims } : { profile, claims, ...jsonLd },
    ...extra,
  }
}

const run = async (...items: SignatureRequest[]) => (await signDirectly(signingDeps(service), items)).outcomes
const entriesOf = (id: string) =>
  service.deps.db.read.select().from(statusEntries).where(eq(statusEntries.credentialId, id))
const countOf = (id: string) => service.deps.db.read.$count(signedCredentials, eq(signedCredentials.id, id))

test('a job that runs twice signs the same credential and stores it once', async () => {
  const request = asked('web-semantic')
  const [first] = await run(request)
  const [second] = await run(request)
  expect(first).toEqual({ ok: { credential: expect.objectContaining({ id: `urn:uuid:${request.credentialId}` }) } })
  expect(second).toEqual(first)
  expect(await entriesOf(request.credentialId)).toHaveLength(1)
  expect(await countOf(request.credentialId)).toBe(1)
})

test('concurrent runs and repeated items return the index that was stored', async () => {
  const twice = asked('compact')
  const [one, other] = await run(twice, twice)
  expect(one).toEqual({ ok: { credential: expect.any(String) } })
  expect(other).toEqual(one)
  for (let round = 0; round < 5; round++) {
    const request = asked('compact')
    const outcomes = (await Promise.all([run(request), run(request), run(request, request)])).flat()
    const [entry, ...more] = await entriesOf(request.credentialId)
    expect(more).toEqual([])
    expect(outcomes).toHaveLength(4)
    for (const outcome of outcomes) {
      if (!('ok' in outcome)) throw new Error(JSON.stringify(outcome))
      const { status, credentialId } = decodeCwtCredential(String(outcome.ok.credential))
      expect([credentialId, status?.index]).toEqual([request.credentialId, entry?.position])
      expect(status?.url).toContain(entry?.listId)
    }
  }
})

test('a faulty item does not affect the other items', async () => {
  const [good, bad, gone] = [
    asked('compact'),
    asked('web-semantic'),
    asked('compact', { issuerDid: 'did:web:gone.example' }),
  ]
  if (bad.content.profile === 'web-semantic') bad.content.contexts = ['https://example.org/unknown']
  const outcomes = await run(bad, good, gone)
  expect(outcomes).toMatchObject([
    { problem: { problem: 'bad_request', details: [{ param: 'payload' }] } },
    { ok: {} },
    { problem: { problem: 'bad_request', details: [{ param: 'payload.iss' }] } },
  ])
  expect(await Promise.all([bad, good, gone].map((each) => countOf(each.credentialId)))).toEqual([0, 1, 0])
})

test('a cancelled credential is not signed', async () => {
  const request = asked('web-semantic')
  const { credentialId: id, tenantId } = request
  const row = { id, profile: 'web-semantic' as const, issuedAt: new Date(request.issuedAt) }
  await service.deps.db.tx((tx) => cancelSigned(tx, tenantId, row, service.clock.now()))
  expect(await run(request)).toMatchObject([{ problem: { problem: 'service_unavailable' } }])
  expect(await entriesOf(id)).toEqual([])
  expect(await service.deps.db.read.$count(storedCredentials, eq(storedCredentials.id, id))).toBe(0)
  expect(ageOf(signedCredentials)).toBeGreaterThan(60_000)
})

test('a tenant that is being removed gets no more credentials', async () => {
  const tenant = await service.addTenant()
  const { db } = service.deps
  const request = asked('compact', { tenantId: tenant.id, issuerDid: tenant.did })
  await db.tx((tx) => tx.update(tenants).set({ state: 'deleting' }).where(eq(tenants.id, tenant.id)))
  expect(await run(request)).toMatchObject([{ problem: { problem: 'not_found' } }])
  expect(await countOf(request.credentialId)).toBe(0)
  expect(await db.read.$count(statusLists, eq(statusLists.tenantId, tenant.id))).toBe(0)
  // Nor one that began to go when all was signed.
  expect(
    await commitSignatures(signingDeps(service), tenant.id, [
      { request, statusIndex: undefined, credential: '', certificateIds: [], signerId: '' },
    ]),
  ).toBeUndefined()
  expect(await countOf(request.credentialId)).toBe(0)
})

test('without an answer of the signing process nothing is signed later, and the request is sealed in Redis', {
  tags: 'redis',
}, async () => {
  await using inRedis = await startService({ roles: ['signing'], queueIn: 'redis' })
  const { deps, id, workers } = inRedis
  const canary = `canary${randomUUID()}`
  const before = await deps.db.read.$count(statusEntries, eq(statusEntries.tenantId, id))
  await workers.stop()
  const payload = { type: ['Course'], credentialSubject: { secret: canary } }
  const answer = inRedis.withSigningWait(3_000, () =>
    sign(inRedis, 'web-semantic', { payload, persist: true, revocable: true }),
  )
  const asks = await eventually(async () => {
    const lists = await listsOf(inRedis)
    return lists.length > 0 && lists
  })
  expect(asks.join()).not.toContain(canary)
  const { status, headers } = await answer
  expect([status, Boolean(headers['retry-after'])]).toEqual([503, true])
  await workers.start()
  expect(await sign(inRedis, 'web-semantic')).toMatchObject({ status: 200 })
  const rows = await deps.db.read.select().from(signedCredentials)
  expect(rows.filter(({ cancelledAt }) => cancelledAt).length).toBeGreaterThan(0)
  expect(await deps.db.read.$count(statusEntries, eq(statusEntries.tenantId, id))).toBe(before)
  expect(JSON.stringify(await deps.db.read.select().from(storedCredentials))).not.toContain(canary)
})

/** Returns the waiting entries in Redis. */
async function listsOf({ deps }: Service): Promise<string[]> {
  const { redisUrl, redisPrefix } = deps.config
  const redis = new Redis(redisUrl)
  try {
    const names = await redis.keys(`*${redisPrefix}*`)
    const entries: string[] = []
    for (const name of names)
      if ((await redis.type(name)) === 'list') entries.push(...(await redis.lrange(name, 0, -1)))
    return entries
  } finally {
    redis.disconnect()
  }
}

test('a credential that is cancelled during its commit is not issued, and nothing of it stays', async () => {
  const { db, keys } = service.deps
  const { request: ask } = keys
  const transactions = vi.spyOn(db, 'tx')
  let id = ''
  let running: Promise<unknown> | undefined
  // The job writes, and the web process gives up before that is committed.
  keys.request = (async (_name: never, item: SignatureRequest) => {
    id = item.credentialId
    const { promise: written, resolve } = Promise.withResolvers<void>()
    const slow: Database = {
      ...db,
      tx: (work) =>
        db.tx(async (tx) => {
          const result = await work(tx)
          if ((await tx.$count(storedCredentials, eq(storedCredentials.id, id))) === 0) return result
          const begun = transactions.mock.calls.length
          resolve()
          // The cancellation waits for this transaction.
          if (dialect === 'postgres') await eventually(async () => (await waitingForLocks(service)) > 0)
          else await eventually(async () => transactions.mock.calls.length > begun)
          return result
        }),
    }
    running = signDirectly(signingDeps(service, { db: slow }), [item])
    await written
    throw new Error('late')
  }) as never
  const answer = await sign(service, 'web-semantic', { persist: true, revocable: true }).finally(() => {
    keys.request = ask
  })
  expect(answer.status).toBe(500)
  await running
  expect(await db.read.$count(storedCredentials, eq(storedCredentials.id, id))).toBe(0)
  expect(await db.read.$count(storedCredentialTypes, eq(storedCredentialTypes.credentialId, id))).toBe(0)
  expect(await entriesOf(id)).toEqual([])
  expect(await service.operator.delete(`/v2/credentials/web-semantic/${id}`)).toMatchObject({ status: 404 })
})

test('a request that was never queued causes no database load', async () => {
  const { request } = service.deps.keys
  const before = await service.deps.db.read.$count(signedCredentials)
  service.deps.keys.request = () => Promise.reject(new NeverSent())
  const { status } = await sign(service, 'web-semantic').finally(() => {
    service.deps.keys.request = request
  })
  expect(status).toBe(503)
  expect(await service.deps.db.read.$count(signedCredentials)).toBe(before)
})

test('a lost answer leaves a credential that counts as not issued, and its index is revoked', async () => {
  const { db } = service.deps
  const stuck = { ...service.deps.keys }
  // The job commits, and its answer is lost.
  service.deps.keys.request = (async (name: never, item: never, options: never) => {
    await stuck.request(name, item, options)
    throw new Error('lost')
  }) as never
  const answer = await sign(service, 'web-semantic', { persist: true, revocable: true }).finally(() => {
    service.deps.keys.request = stuck.request
  })
  expect(answer.status).toBe(500)
  const called = (await db.read.select().from(signedCredentials)).filter(({ cancelledAt }) => cancelledAt)
  const ids = called.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(0)
  const orphans = (await db.read.select().from(statusEntries)).filter(({ credentialId }) => credentialId === null)
  expect(new Set(orphans.map(({ status }) => status))).toEqual(new Set(['invalid']))
  const keptOnes = await db.read.select({ id: storedCredentials.id }).from(storedCredentials)
  expect(keptOnes.filter(({ id }) => ids.includes(id))).toEqual([])
  for (const id of ids)
    expect(await service.operator.get(`/v2/credentials/web-semantic/${id}/revocation-status`)).toMatchObject({
      status: 404,
    })
})
