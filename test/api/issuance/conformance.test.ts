import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { mdlConfiguration, sdJwtConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { issueSdJwt } from '../../harness/issued-sd-jwt.ts'
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
  level: 'must' | 'should'
  state: 'met' | 'notMet' | 'notApplicable' | 'toBeTested'
  lookedAt: string
  change?: string
  test?: string
}

async function conformanceOf(tenant: TestTenant): Promise<{ conforms: boolean; requirements: Requirement[] }> {
  const { status, body } = await tenant.operator.get(path)
  expect([status, body.specification]).toEqual([200, 'HAIP 1.0'])
  return body
}

async function namesWith(tenant: TestTenant, state: Requirement['state']): Promise<string[]> {
  const { requirements } = await conformanceOf(tenant)
  return requirements.filter((each) => each.state === state).map(({ name }) => name)
}

/** Returns the rows that differ after a change, as `name: state before -> state after`. */
async function changedBy(tenant: TestTenant, change: () => Promise<unknown>): Promise<string[]> {
  const { requirements: before } = await conformanceOf(tenant)
  await change()
  const { requirements: after } = await conformanceOf(tenant)
  return after.flatMap(({ name, state }, index) =>
    state === before[index]?.state ? [] : [`${name}: ${before[index]?.state} -> ${state}`],
  )
}

async function setTenant(tenant: TestTenant, settings: object): Promise<void> {
  const own = `/v1/tenants/${tenant.id}?partial=true`
  expect(await service.platform.put(own, settings)).toMatchObject({ status: 200 })
}

const signIn = { url: 'https://login.example', clientId: 'issuer', clientSecret: 'secret', scope: ['openid'] }
const addProvider = (tenant: TestTenant) => tenant.operator.post('/v1/users/authentication-providers', signIn)
const addWalletProvider = (tenant: TestTenant) =>
  tenant.operator.post('/v1/openid/wallet-providers', { certificatePem: attester.rootPem })

test('the report has the 43 requirements, each with its clause and what was looked at', async () => {
  const { conforms, requirements } = await conformanceOf(await service.addTenant())
  expect(conforms).toBe(false)
  expect(new Set(requirements.map(({ name }) => name)).size).toBe(43)
  for (const { clause, lookedAt, state, change, test: next } of requirements) {
    expect(clause).toMatch(/^HAIP 1\.0, sections? \d/)
    expect(lookedAt).not.toBe('')
    expect(next !== undefined).toBe(state === 'toBeTested')
    if (change !== undefined) expect(state).toBe('notMet')
  }
})

test('a tenant without settings and configurations meets only what its documents show', async () => {
  const tenant = await service.addTenant()
  const { requirements } = await conformanceOf(tenant)
  expect(await namesWith(tenant, 'notMet')).toEqual([
    ...['authorization_code_flow', 'credential_format', 'pushed_authorization_requests', 'dpop'],
    ...['signed_metadata_x5c', 'offer_grant', 'par_authentication', 'wallet_authentication', 'wallet_trust'],
  ])
  expect(requirements.every(({ state, change }) => (state === 'notMet') === (change !== undefined))).toBe(true)
  expect(await namesWith(tenant, 'met')).toEqual([
    ...['pkce', 'issuer_in_response', 'batch_size', 'server_metadata', 'issuer_metadata', 'signed_metadata'],
    ...['refresh_tokens', 'signature_algorithms'],
  ])
  expect(requirements.find(({ name }) => name === 'dpop')).toEqual({
    name: 'dpop',
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'Access tokens are bound to a key by DPoP',
    state: 'notMet',
    lookedAt: 'dpop_bound_access_tokens_required of the metadata: false',
    change: 'Set the profile of the tenant to haip',
  })
})

test('each change that the requirements name meets them, one after the other, and then the tenant conforms', async () => {
  const tenant = await service.addTenant()
  expect(await changedBy(tenant, () => setTenant(tenant, { profile: 'haip' }))).toEqual([
    'pushed_authorization_requests: notMet -> met',
    'dpop: notMet -> met',
    'par_authentication: notMet -> met',
    'wallet_authentication: notMet -> met',
  ])
  expect(await changedBy(tenant, () => addProvider(tenant))).toEqual([
    'authorization_code_flow: notMet -> met',
    'offer_grant: notMet -> met',
  ])
  expect(await changedBy(tenant, () => addWalletProvider(tenant))).toEqual(['wallet_trust: notMet -> met'])
  expect(await changedBy(tenant, () => sdJwtConfiguration(tenant))).toEqual([
    'credential_format: notMet -> met',
    ...['scopes', 'nonce_endpoint', 'offer_scope', 'authorization_scope'].map(
      (name) => `${name}: notApplicable -> met`,
    ),
    'key_attestation: notApplicable -> notMet',
    ...['key_attestation_x5c', 'key_attestation_chain'].map((name) => `${name}: notApplicable -> toBeTested`),
    'single_key_attestation: notApplicable -> notMet',
    'sd_jwt_serialization: notApplicable -> toBeTested',
    'validity: notApplicable -> notMet',
    'holder_key: notApplicable -> met',
    'sd_jwt_x5c: notApplicable -> notMet',
    'hash_algorithm: notApplicable -> toBeTested',
  ])
  const { requirements } = await conformanceOf(tenant)
  const scope = requirements.find(({ name }) => name === 'scopes')?.lookedAt.split(': ')[1] ?? ''
  expect(scope).toMatch(/^\S+$/)
  expect(requirements.filter(({ lookedAt }) => lookedAt.includes(scope))).toHaveLength(1)
  const offerScope = requirements.find(({ name }) => name === 'offer_scope')
  expect(offerScope?.lookedAt).toMatch(/scopes_supported of the metadata: \d+ scopes\. .* does not have: none$/)
  expect(await changedBy(tenant, () => newIaca(tenant))).toEqual([
    'signed_metadata_x5c: notMet -> met',
    'signed_metadata_chain: notApplicable -> met',
    'sd_jwt_x5c: notMet -> met',
    'sd_jwt_chain: notApplicable -> met',
  ])
  expect(await conformanceOf(tenant)).toMatchObject({ conforms: false })
  const trustKeys = () => setTenant(tenant, { keyAttestationRoots: [attester.rootPem] })
  expect(await changedBy(tenant, trustKeys)).toEqual([
    'key_attestation: notMet -> met',
    'single_key_attestation: notMet -> met',
  ])
  // `validity` is recommended.
  expect(await namesWith(tenant, 'notMet')).toEqual(['validity'])
  expect(await conformanceOf(tenant)).toMatchObject({ conforms: true })
})

test('the rows of a status follow the configurations, the published list and the format of the tenant', async () => {
  const tenant = await service.addTenant()
  await newIaca(tenant)
  const configurationId = await sdJwtConfiguration(tenant)
  const path = `/v2/credentials/sd-jwt/configurations/${configurationId}?partial=true`
  expect(await changedBy(tenant, () => tenant.operator.put(path, { revocable: true }))).toEqual([
    'validity: notMet -> met',
    'status_list: notApplicable -> met',
    ...['status_list_x5c', 'status_list_chain', 'status_index'].map((name) => `${name}: notApplicable -> toBeTested`),
  ])
  const issue = async () => {
    await issueSdJwt(service, tenant, configurationId)
    await eventually(async () => !(await namesWith(tenant, 'toBeTested')).includes('status_list_x5c'))
  }
  expect(await changedBy(tenant, issue)).toEqual([
    'status_list_x5c: toBeTested -> met',
    'status_list_chain: toBeTested -> met',
  ])
  expect(await changedBy(tenant, () => setTenant(tenant, { statusListFormat: 'legacy' }))).toEqual([
    'status_list: met -> notMet',
  ])
  expect(await changedBy(tenant, () => mdlConfiguration(tenant, { includeStatus: true }))).toEqual([
    'mdoc_status: notApplicable -> notMet',
  ])
})

test('a configuration without key binding needs no nonce and no key attestation', async () => {
  const tenant = await service.addTenant({ profile: 'lenient' })
  await sdJwtConfiguration(tenant, { keyBinding: false })
  const ofKeys = ['nonce_endpoint', 'key_attestation', 'key_attestation_x5c', 'key_attestation_chain', 'holder_key']
  expect(await namesWith(tenant, 'notApplicable')).toEqual(expect.arrayContaining(ofKeys))
  await sdJwtConfiguration(tenant, { vct: 'urn:example:bound' })
  expect(await namesWith(tenant, 'notMet')).toEqual(expect.arrayContaining(['nonce_endpoint', 'key_attestation']))
})

test('a batch is stated as maxCredentialsPerSession allows it', async () => {
  const tenant = await service.addTenant({ maxCredentialsPerSession: 1 })
  const rowOf = async () => (await conformanceOf(tenant)).requirements.find(({ name }) => name === 'batch_size')
  const own = 'maxCredentialsPerSession of the tenant'
  const absent = `batch_credential_issuance of the metadata: absent. ${own}: 1`
  expect(await rowOf()).toMatchObject({ state: 'met', lookedAt: absent })
  await setTenant(tenant, { maxCredentialsPerSession: 7 })
  const seven = `batch_credential_issuance of the metadata: 7. ${own}: 7`
  expect(await rowOf()).toMatchObject({ state: 'met', lookedAt: seven })
})

test('the root certificates of a registered wallet are sufficient, and those of another tenant are not', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const wallet = { name: 'Wallet', clientId: 'wallet', redirectUris: ['https://wallet.example/callback'] }
  const attestation = { required: true, rootCertificates: [attester.rootPem] }
  expect(await tenant.operator.post('/v1/openid/clients', { ...wallet, attestation })).toMatchObject({ status: 201 })
  expect(await other.operator.post('/v1/openid/clients', wallet)).toMatchObject({ status: 201 })
  expect(await namesWith(tenant, 'met')).toContain('wallet_trust')
  expect(await namesWith(other, 'notMet')).toContain('wallet_trust')
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
