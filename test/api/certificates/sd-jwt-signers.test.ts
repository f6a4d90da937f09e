import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import { queueDueCertificates } from '../../../workers/publishing/queue-due-certificates.ts'
import { crlOf, iacas, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { openssl, verifyStrictly } from '../../verifiers/openssl.ts'

let service: Service
beforeAll(async () => {
  // No worker renews what is due except the test.
  service = await startService({ roles: ['signing', 'signing-bulk'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const paths = signersPath('sd-jwt-signer')

test('a managed SD-JWT signer has a successor a month before its end, and both chains are valid', async () => {
  const tenant = await service.addTenant()
  const { id: iacaId, certificatePem: root } = await newIaca(tenant)
  const { status, body: first } = await tenant.operator.post(paths, { iacaId })
  expect([status, first]).toMatchObject([201, { iacaId, active: true }])

  const notAfter = plusMs(service.clock.now(), 29.5 * dayMs)
  await service.deps.db.tx(
    async (tx) => void (await tx.update(certificates).set({ notAfter }).where(eq(certificates.id, first.id))),
  )
  expect((await tenant.operator.get('/v1/overview/certificates')).body).toMatchObject({
    data: [{ kind: 'sd-jwt-signer', id: first.id, authorityId: iacaId, daysLeft: 29 }],
  })
  await queueDueCertificates(service.deps)
  const second = await eventually(async () => {
    const { data } = (await tenant.operator.get(paths)).body
    return data.find((each: { id: string }) => each.id !== first.id)
  })
  expect((await tenant.operator.get(`${paths}/${first.id}`)).body).toMatchObject({ active: false })
  expect(second).toMatchObject({ iacaId, active: true })
  const crl = await crlOf(service, tenant, iacaId)
  for (const { certificatePem: leaf } of [first, second]) {
    expect(await verifyStrictly({ leaf, root, crl })).toBe('leaf.pem: OK\n')
  }
})

test('an SD-JWT signer of an unmanaged IACA is requested, certified outside and activated', async () => {
  const tenant = await service.addTenant()
  const authority = await newOpensslAuthority()
  const { body: iaca } = await tenant.operator.post(iacas, { certificatePem: authority.pem })
  await tenant.operator.put(`${iacas}/${iaca.id}`, { active: true })
  const { status, body } = await tenant.operator.post(paths, { iacaId: iaca.id })
  expect([status, body]).toEqual([
    201,
    { id: body.id, iacaId: iaca.id, active: false, provider: 'software', csrPem: body.csrPem },
  ])
  const request = await openssl(['req', '-in', 'csr.pem', '-verify', '-noout', '-text'], { 'csr.pem': body.csrPem })
  expect(request).toContain('verify OK')

  const certificatePem = await authority.certify(body.csrPem, { extensions: { extendedKeyUsage: undefined } })
  const change = { active: true, certificatePem }
  const other = await service.addTenant()
  expect(await other.operator.put(`${paths}/${body.id}`, change)).toMatchObject({ status: 404 })
  expect(await tenant.operator.put(`${paths}/${body.id}`, change)).toMatchObject({
    status: 200,
    body: { active: true, certificateData: { country: 'NZ' } },
  })
})

test('a document signer is no SD-JWT signer', async () => {
  const tenant = await service.addTenant()
  const { id: iacaId } = await newIaca(tenant)
  const { body: document } = await tenant.operator.post(signersPath('document-signer'), { iacaId })
  expect(await tenant.operator.get(`${paths}/${document.id}`)).toMatchObject({ status: 404 })
  expect((await tenant.operator.get(paths)).body.data).toEqual([])
})
