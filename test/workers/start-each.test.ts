import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signDirectly } from '../../workers/signing/direct/sign-directly.ts'
import { startEach } from '../../workers/signing/start-each.ts'
import { type Service, startService } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'
import { createTestKeyProvider } from '../harness/test-key-provider.ts'

const { provider } = createTestKeyProvider()
let service: Service
let running = 0
let mostRunning = 0
beforeAll(async () => {
  const { signer } = provider
  provider.signer = (key) => {
    const inProvider = signer(key)
    return { ...inProvider, sign: (bytes) => signSlowly(() => inProvider.sign(bytes)) }
  }
  service = await startService({ keyProviders: [provider], env: { KEY_PROVIDER: 'pkcs11' }, roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Signs after other signatures were started, or after many ticks of the event loop. */
async function signSlowly(sign: () => Promise<Buffer>): Promise<Buffer> {
  running++
  mostRunning = Math.max(mostRunning, running)
  for (let tick = 0; tick < 500 && mostRunning < 5; tick++) await setImmediate()
  running--
  return sign()
}

test('the requests of a job do not wait for the signatures of each other if a provider makes them', async () => {
  const issuedAt = service.clock.now().getTime()
  const items = Array.from({ length: 5 }, () => ({
    ...{ tenantId: service.id, credentialId: randomUUID(), issuerDid: service.did, issuedAt },
    ...{ revocable: true, isRevoked: false, content: { profile: 'compact' as const, claims: { given_name: 'Ada' } } },
  }))
  mostRunning = 0
  const { outcomes } = await signDirectly(signingDeps(service), items)
  expect(outcomes).toEqual(items.map(() => ({ ok: { credential: expect.any(String) } })))
  expect(mostRunning).toBe(5)
})

/** Starts items whose results are open, and returns which of them have started. */
async function startedOf(isExternal: boolean, count: number) {
  const started: number[] = []
  const ends = Array.from({ length: count }, () => Promise.withResolvers<number>())
  for (const { promise } of ends) promise.catch(() => undefined)
  const results = startEach(ends, async ({ promise }, at) => {
    started.push(at)
    return { result: promise, isExternal }
  })
  for (let tick = 0; tick < 2 * count; tick++) await setImmediate()
  return { started, ends, results }
}

test('a signature of this process ends before the next item starts', async () => {
  const { started, ends, results } = await startedOf(false, 3)
  expect(started).toEqual([0])
  for (const [at, { resolve }] of ends.entries()) resolve(at)
  expect(await results).toEqual([0, 1, 2].map((value) => ({ status: 'fulfilled', value })))
})

test('8 signatures of a provider are awaited at the same time, and the results are in the order of the items', async () => {
  const { started, ends, results } = await startedOf(true, 40)
  expect(started).toHaveLength(8)
  for (const [at, { resolve, reject }] of [...ends.entries()].reverse()) at === 20 ? reject('refused') : resolve(at)
  const values = (await results).map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
  expect(values).toEqual(Array.from({ length: 40 }, (_, at) => (at === 20 ? 'refused' : at)))
})

test('an item that cannot be started does not stop the others', async () => {
  const results = await startEach([1, 2, 3], async (item) => {
    if (item === 2) throw new Error('no signer')
    return { result: Promise.resolve(item), isExternal: true }
  })
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
