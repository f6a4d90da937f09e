import { afterAll, beforeAll, expect, test } from 'vitest'
import { iacas, newIaca } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

interface SigningRoot {
  profile: string
  iacaId?: string
  signerId?: string
  since?: string
  until?: string
  missing?: string
}

async function rootsOf({ operator }: TestTenant, query = ''): Promise<SigningRoot[]> {
  const { status, body } = await operator.get(`/v1/overview/signing-roots${query}`)
  expect(status).toBe(200)
  return body.data
}

const none = 'There is no active IACA that is valid now. Create or activate one.'

test('a tenant without an active IACA sees what is missing for both profiles', async () => {
  const tenant = await service.addTenant()
  const nothing = [
    { profile: 'mobile', missing: none },
    { profile: 'sd-jwt', missing: none },
  ]
  expect(await rootsOf(tenant)).toEqual(nothing)
  await tenant.operator.post(iacas, { commonName: 'Inactive', country: 'NZ' })
  const other = await service.addTenant()
  const foreign = await newIaca(other)
  expect(await rootsOf(tenant, `?iacaId=${foreign.id}`)).toEqual(nothing)
})

test('the newest active IACA is named with its signer, its first signature time and its end', async () => {
  const tenant = await service.addTenant()
  const older = await newIaca(tenant, { commonName: 'Older' })
  const newest = await newIaca(tenant, { commonName: 'Newest' })
  const roots = await eventually(async () => {
    const roots = await rootsOf(tenant)
    return roots.every(({ signerId }) => signerId !== undefined) && roots
  })
  const { notAfter } = newest.certificateData
  const root = { iacaId: newest.id, commonName: 'Newest', country: 'NZ', until: notAfter }
  expect(roots).toMatchObject([
    { profile: 'mobile', ...root },
    { profile: 'sd-jwt', ...root },
  ])
  for (const { since = '' } of roots) expect(Date.parse(since)).toBeLessThanOrEqual(service.deps.clock.now().getTime())
  expect(await rootsOf(tenant, `?iacaId=${older.id}`)).toMatchObject([{ iacaId: older.id }, { iacaId: older.id }])
})

test('an external IACA without a signer cannot sign', async () => {
  const tenant = await service.addTenant()
  const { pem: certificatePem } = await newOpensslAuthority()
  const { body: external } = await tenant.operator.post(iacas, { certificatePem })
  await tenant.operator.put(`${iacas}/${external.id}`, { active: true })
  const missing = expect.stringContaining('The IACA is unmanaged')
  expect(await rootsOf(tenant)).toEqual([
    { profile: 'mobile', missing },
    { profile: 'sd-jwt', missing },
  ])
})

test('an id that is no UUID is refused', async () => {
  const answer = await service.operator.get('/v1/overview/signing-roots?iacaId=1')
  expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'iacaId' }] } })
})
