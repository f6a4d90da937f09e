import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { activeIaca, mdlClaims, mdlConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { readMdoc } from '../verifiers/mdoc-verifiers.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await activeIaca(service)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Stops the clock of caches. The signing process knows a signer for a second. */
const stopClock = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now())

test.each([{ revokedAt: new Date() }, { isActive: false }])(
  'a document whose signer was removed by another process (%j) is not issued, and the next request gets another signer',
  async (change) => {
    const configurationId = await mdlConfiguration(service)
    const collect = async () => {
      const offer = await newOffer(service, [configurationId], { claims: mdlClaims })
      const wallet = await newWallet(service, service.origin, offer.uri)
      return { offer, wallet, answer: await wallet.collect() }
    }
    const stopped = stopClock()
    const before = (await collect()).answer
    expect(before.status).toBe(200)
    const first = readMdoc(before.body.credentials[0].credential).unprotected.get(33)!
    await service.deps.db.tx((tx) =>
      tx.update(certificates).set(change).where(eq(certificates.kind, 'document-signer')),
    )
    const { offer, wallet, answer } = await collect()
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } })
    stopped.mockRestore()
    expect((await service.operator.get(`/v1/users/${offer.userId}/credentials`)).body.data).toEqual([])
    await expect.poll(async () => (await wallet.requestCredential()).status, { interval: 300 }).toBe(200)
    const [record] = (await service.operator.get(`/v1/users/${offer.userId}/credentials`)).body.data
    expect(record).toMatchObject({ profile: 'mobile', status: 'valid' })
    const again = (await wallet.requestCredential()).body.credentials[0].credential
    expect(Buffer.from(readMdoc(again).unprotected.get(33)!).equals(first)).toBe(false)
  },
)

test('nothing is issued under an IACA that was deactivated during the signature', async () => {
  const tenant = await service.addTenant()
  const iaca = await activeIaca(tenant)
  const configurationId = await mdlConfiguration(tenant)
  const collect = async () => {
    const offer = await newOffer(tenant, [configurationId], { claims: mdlClaims })
    return { offer, answer: await (await newWallet(tenant, service.origin, offer.uri)).collect() }
  }
  const stopped = stopClock()
  expect((await collect()).answer).toMatchObject({ status: 200 })
  await tenant.operator.put(`/v2/credentials/mobile/iacas/${iaca.id}`, { active: false })
  const { offer, answer } = await collect()
  expect(answer.status).toBe(503)
  stopped.mockRestore()
  expect((await tenant.operator.get(`/v1/users/${offer.userId}/credentials`)).body.data).toEqual([])
})
