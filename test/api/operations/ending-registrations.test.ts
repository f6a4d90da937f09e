import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accessCertificates } from '../../../db/tables/issuance/access-certificates.ts'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import { certifyAccess, newAccessAuthority, subject } from '../../certificates/access-authority.ts'
import { newRegistrar } from '../../certificates/registrar.ts'
import { startService } from '../../harness/harness.ts'

test('an access certificate and a registration certificate are reported before they end, and not to others', async () => {
  await using service = await startService()
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const { operator } = tenant
  const path = '/v1/openid/access-certificates'
  const { body } = await operator.post(path, { subject })
  const certificatePem = await certifyAccess((await newAccessAuthority()).root, body.csrPem)
  await operator.put(`${path}/${body.id}`, { active: true, certificatePem })
  const report = async (api = operator) => (await api.get('/v1/overview/certificates')).body.data
  expect(await report()).toEqual([])

  const at = service.clock.now()
  const exp = Math.floor(plusMs(at, 20.5 * dayMs).getTime() / 1000)
  const jwt = await (await newRegistrar()).register({ payload: { exp } }, at)
  await operator.put('/v1/openid/registration-certificates', { jwt })
  await service.deps.db.tx(async (tx) => {
    const notAfter = plusMs(at, 59.5 * dayMs)
    await tx.update(accessCertificates).set({ notAfter }).where(eq(accessCertificates.id, body.id))
  })
  const registration = { kind: 'registration-certificate', id: tenant.id, daysLeft: 20, severity: 'warning' }
  const access = { kind: 'access-certificate', id: body.id, daysLeft: 59, renewal: 'operator', severity: 'notice' }
  expect(await report()).toMatchObject([registration, access])
  expect(await report(await tenant.as('issuer'))).toHaveLength(2)
  expect(await report(await tenant.as('dts-provider'))).toEqual([])
  expect(await report(other.operator)).toEqual([])

  await operator.put(`${path}/${body.id}`, { active: false })
  expect(await report()).toMatchObject([registration])
})
