import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { sdJwtConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { type Attester, newAttester } from '../../wallets/attestation.ts'

let service: Service
let attester: Attester
beforeAll(async () => {
  service = await startService()
  attester = await newAttester()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v1/openid/configuration/conformance'

interface Requirement {
  name: string
  clause: string
  isMet: boolean
  change?: string
}

async function conformanceOf(tenant: TestTenant): Promise<{ conforms: boolean; requirements: Requirement[] }> {
  const { status, body } = await tenant.operator.get(path)
  expect([status, body.specification]).toEqual([200, 'HAIP 1.0'])
  return body
}

async function unmetOf(tenant: TestTenant): Promise<string[]> {
  const { requirements } = await conformanceOf(tenant)
  return requirements.filter(({ isMet }) => !isMet).map(({ name }) => name)
}

test('a tenant with default settings does not conform, and each unmet requirement says what to change', async () => {
  const { conforms, requirements } = await conformanceOf(await service.addTenant())
  expect(conforms).toBe(false)
  const unmet = requirements.filter(({ isMet }) => !isMet)
  expect(unmet.map(({ name }) => name)).toEqual([
    'credential_format',
    'pushed_authorization_requests',
    'dpop',
    'signed_metadata',
    'wallet_authentication',
    'wallet_trust',
    'key_attestation',
    'single_key_attestation',
  ])
  expect(unmet.every(({ change }) => change !== undefined)).toBe(true)
  expect(requirements.filter(({ isMet }) => isMet).every(({ change }) => change === undefined)).toBe(true)
  expect(requirements.every(({ clause }) => /^(HAIP|OpenID4VCI) 1\.0, sections? \d/.test(clause))).toBe(true)
})

test('each change that the requirements name meets them, and then the tenant conforms', async () => {
  const tenant = await service.addTenant()
  const settings = { profile: 'haip', keyAttestationRoots: [attester.rootPem] }
  await service.platform.put(`/v1/tenants/${tenant.id}?partial=true`, settings)
  expect(await unmetOf(tenant)).toEqual(['credential_format', 'signed_metadata', 'wallet_trust'])
  await newIaca(tenant)
  expect(await unmetOf(tenant)).toEqual(['credential_format', 'wallet_trust'])
  await sdJwtConfiguration(tenant)
  expect(await unmetOf(tenant)).toEqual(['wallet_trust'])
  await tenant.operator.post('/v1/openid/wallet-providers', { certificatePem: attester.rootPem })
  expect(await conformanceOf(tenant)).toMatchObject({ conforms: true })
})

test('the root certificates of a registered wallet are sufficient, and those of another tenant are not', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const wallet = { name: 'Wallet', clientId: 'wallet', redirectUris: ['https://wallet.example/callback'] }
  const attestation = { required: true, rootCertificates: [attester.rootPem] }
  expect(await tenant.operator.post('/v1/openid/clients', { ...wallet, attestation })).toMatchObject({ status: 201 })
  expect(await other.operator.post('/v1/openid/clients', wallet)).toMatchObject({ status: 201 })
  expect(await unmetOf(tenant)).not.toContain('wallet_trust')
  expect(await unmetOf(other)).toContain('wallet_trust')
})

test('the settings of older wallets and of older status lists are unmet requirements', async () => {
  const tenant = await service.addTenant({ profile: 'lenient', statusListFormat: 'legacy' })
  expect(await unmetOf(tenant)).toEqual(expect.arrayContaining(['nonce_endpoint', 'status_list']))
})

const contradictions = { publicClients: true, statusListFormat: 'legacy' }
const refused = {
  status: 400,
  body: {
    details: [
      { param: 'publicClients', location: 'body' },
      { param: 'statusListFormat', location: 'body' },
    ],
  },
}

test('the profile haip is refused with each setting that contradicts it, and nothing changes', async () => {
  const tenant = await service.addTenant()
  const own = `/v1/tenants/${tenant.id}`
  expect(await service.platform.put(own, { profile: 'haip', ...contradictions })).toMatchObject(refused)
  expect((await service.platform.get(own)).body).toMatchObject({ profile: 'standard', publicClients: false })

  await service.platform.put(`${own}?partial=true`, contradictions)
  expect(await service.platform.put(`${own}?partial=true`, { profile: 'haip' })).toMatchObject(refused)
  expect((await service.platform.get(own)).body).toMatchObject({ profile: 'standard', ...contradictions })
})

test('a new tenant with the profile haip and a setting that contradicts it is refused', async () => {
  const tenant = { name: 'Strict', subdomain: 'strict-conformance', profile: 'haip' }
  expect(await service.platform.post('/v1/tenants', { ...tenant, ...contradictions })).toMatchObject(refused)
  expect(await service.platform.post('/v1/tenants', tenant)).toMatchObject({ status: 201 })
})
