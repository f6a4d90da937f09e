import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCrl } from '../../db/repos/certificates/crls.ts'
import { documentSigner } from '../../workers/signing/certificates/signers.ts'
import { type Service, startService } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'
import { verifyStrictly } from '../verifiers/openssl.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const iacas = '/v2/credentials/mobile/iacas'

async function activeIaca({ operator }: Pick<Service, 'operator'>) {
  const { body } = await operator.post(iacas, { commonName: 'Aotearoa ēā IACA', country: 'NZ' })
  return (await operator.put(`${iacas}/${body.id}`, { active: true })).body
}

test('a document signer is created once under the active IACA when it is first needed, and concurrent requests share it', async () => {
  const tenant = await service.addTenant()
  const deps = () => signingDeps(service)
  await expect(documentSigner(deps(), tenant.id)).rejects.toMatchObject({
    reason: expect.stringContaining('no active'),
  })
  const iaca = await activeIaca(tenant)

  // Of several processes at once.
  const signers = await Promise.all(Array.from({ length: 8 }, () => documentSigner(deps(), tenant.id)))
  expect(new Set(signers.map(({ certificateId }) => certificateId)).size).toBe(1)
  const [signer] = signers
  expect(signer).toMatchObject({ caId: iaca.id, country: 'NZ' })
  const certificate = new X509Certificate(signer!.certificateDer)
  expect(certificate.publicKey.equals(signer!.key.publicKey)).toBe(true)
  const crl = (await findCrl(service.deps.db.read, tenant.id, iaca.id))!
  const chain = { leaf: certificate.toString(), root: iaca.certificatePem, crl: crl.content }
  expect(await verifyStrictly(chain)).toBe('leaf.pem: OK\n')
  expect(await verifyStrictly({ ...chain, leaf: chain.root })).toBe('leaf.pem: OK\n')
})

test('no document signer is created under an IACA that is deactivated at the same moment', async () => {
  const tenant = await service.addTenant()
  const iaca = await activeIaca(tenant)
  const { db } = service.deps
  const tx: typeof db.tx = async (work) => {
    expect(await tenant.operator.put(`${iacas}/${iaca.id}`, { active: false })).toMatchObject({ status: 200 })
    return db.tx(work)
  }
  const meanwhile = signingDeps(service, { db: { ...db, tx } })
  await expect(documentSigner(meanwhile, tenant.id)).rejects.toMatchObject({ problem: 'service_unavailable' })
  expect((await tenant.operator.get('/v2/credentials/mobile/document-signers')).body.data).toEqual([])
})
