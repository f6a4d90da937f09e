import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { iacas, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterEach(() => service.workers.start())
afterAll(() => service?.[Symbol.asyncDispose]())

const kinds = ['document-signer', 'sd-jwt-signer'] as const
const onePerKind = { 'document-signer': 1, 'sd-jwt-signer': 1 }

/** Returns the number of signers of each kind under an IACA. */
async function signersUnder(tenant: TestTenant, caId: string): Promise<Record<string, number>> {
  const counts = kinds.map(async (kind) => {
    const { data } = (await tenant.operator.get(signersPath(kind))).body
    return [kind, data.filter(({ iacaId }: { iacaId: string }) => iacaId === caId).length]
  })
  return Object.fromEntries(await Promise.all(counts))
}

const untilSigned = (tenant: TestTenant, caId: string) =>
  eventually(async () => {
    const counts = await signersUnder(tenant, caId)
    return counts['document-signer']! > 0 && counts['sd-jwt-signer']! > 0
  })

test('an IACA gets one signer of each kind when it becomes active, also if it is activated several times at once', async () => {
  const tenant = await service.addTenant()
  const { body: iaca } = await tenant.operator.post(iacas, { commonName: 'Root', country: 'NZ' })
  expect(await signersUnder(tenant, iaca.id)).toEqual({ 'document-signer': 0, 'sd-jwt-signer': 0 })
  const activate = () => tenant.operator.put(`${iacas}/${iaca.id}`, { active: true })
  const answers = await Promise.all([activate(), activate(), activate()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await untilSigned(tenant, iaca.id)
  await activate()
  await tenant.operator.put(`${iacas}/${iaca.id}`, { active: false })
  await activate()
  const other = await newIaca(tenant, { commonName: 'Next root' })
  await untilSigned(tenant, other.id)
  expect(await signersUnder(tenant, iaca.id)).toEqual(onePerKind)
})

test('the signers of an activation are created later if no signing process runs and Redis loses the job', async () => {
  const tenant = await service.addTenant()
  const { body: iaca } = await tenant.operator.post(iacas, { commonName: 'Root', country: 'NZ' })
  await service.workers.stop()
  expect(await tenant.operator.put(`${iacas}/${iaca.id}`, { active: true })).toMatchObject({ status: 200 })
  await service.deps.bus.queue('signing').obliterate({ force: true })
  service.clock.advance(30_000)
  await service.workers.start()
  await untilSigned(tenant, iaca.id)
  expect(await signersUnder(tenant, iaca.id)).toEqual(onePerKind)
})

test('an external IACA gets no signer, and the first signers of a managed IACA are deleted with it', async () => {
  const tenant = await service.addTenant()
  const authority = await newOpensslAuthority()
  const { body: external } = await tenant.operator.post(iacas, { certificatePem: authority.pem })
  await tenant.operator.put(`${iacas}/${external.id}`, { active: true })
  const managed = await newIaca(tenant)
  await untilSigned(tenant, managed.id)
  expect(await signersUnder(tenant, external.id)).toEqual({ 'document-signer': 0, 'sd-jwt-signer': 0 })
  await tenant.operator.put(`${iacas}/${managed.id}`, { active: false })
  expect(await tenant.operator.delete(`${iacas}/${managed.id}`)).toMatchObject({ status: 204 })
  expect(await signersUnder(tenant, managed.id)).toEqual({ 'document-signer': 0, 'sd-jwt-signer': 0 })
})

test('an IACA that is created active has its signers at once', async () => {
  const tenant = await service.addTenant()
  const { status, body } = await tenant.operator.post(iacas, { commonName: 'Root', country: 'NZ', active: true })
  expect([status, body.active]).toEqual([201, true])
  expect(await signersUnder(tenant, body.id)).toEqual(onePerKind)
})
