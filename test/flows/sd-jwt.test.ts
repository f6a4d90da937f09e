import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crlOf, newIaca } from '../certificates/hierarchy.ts'
import { newOffer, sdJwtConfiguration, sdJwtMappings } from '../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { issueSdJwt, sdJwtClaims } from '../harness/issued-sd-jwt.ts'
import { startProvider } from '../servers/provider.ts'
import { verifyStrictly } from '../verifiers/openssl.ts'
import { readSdJwt, verifySdJwt } from '../verifiers/sd-jwt-verifier.ts'
import { redirectUri } from '../wallets/authorization-wallet.ts'
import { newLibraryWallet, resolveEverythingHere } from '../wallets/library-wallet.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  resolveEverythingHere()
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const pemOf = (x5c = '') => `-----BEGIN CERTIFICATE-----\n${x5c}\n-----END CERTIFICATE-----\n`
const claims = {
  ...{ vct: 'urn:example:student-card', given_name: 'Ada', level: 1, address: { locality: 'Bern' } },
  degrees: [{ type: 'BSc' }, { type: 'MSc' }],
}

const { given_name, level } = sdJwtMappings
const flows = {
  'pre-authorized code': { claimMappings: sdJwtMappings, disclosed: claims },
  'authorization code': {
    claimMappings: { given_name, level },
    disclosed: { vct: claims.vct, given_name: 'Ada', level: 1 },
  },
}

test.each(Object.entries(flows))(
  'a wallet of @openid4vc/openid4vci collects an SD-JWT VC by %s, and external verifiers accept it',
  async (grant, { claimMappings, disclosed }) => {
    const tenant = await service.addTenant()
    const iaca = await newIaca(tenant)
    const configurationId = await sdJwtConfiguration(tenant, {
      claimMappings,
      includeStatus: true,
      decoys: { upTo: 8 },
    })
    await using _provider = await startProvider(tenant)
    const client = { name: 'Library', clientId: 'library', redirectUris: [redirectUri] }
    expect(await tenant.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
    const { uri } =
      grant === 'pre-authorized code'
        ? await newOffer(tenant, [configurationId], { claims: sdJwtClaims })
        : (await tenant.operator.post('/v1/openid/offers', { credentials: [configurationId] })).body
    const wallet = await newLibraryWallet(uri, { clientId: 'library' })
    const { accessTokenResponse } = await wallet.authorize()
    const { credentialResponse } = await wallet.requestCredentials(accessTokenResponse.access_token)
    const [issued] = credentialResponse.credentials as { credential: string }[]
    const { header, payload } = readSdJwt(issued!.credential)
    expect(header).toEqual({ alg: 'ES256', typ: 'dc+sd-jwt', x5c: [expect.any(String)] })
    const frame = { iat: payload.iat, exp: payload.exp, cnf: payload.cnf, status: payload.status }
    expect(await verifySdJwt(issued!.credential, tenant)).toEqual({ ...disclosed, ...frame })
    // No claim that the holder can hide is in the signed payload. The digests are filled up to 8.
    expect(payload).toEqual({ ...frame, vct: claims.vct, level: 1, _sd: expect.any(Array), _sd_alg: 'sha-256' })
    expect(payload._sd).toHaveLength(8)
    const crl = await crlOf(service, tenant, iaca.id)
    expect(await verifyStrictly({ leaf: pemOf(header.x5c[0]), root: iaca.certificatePem, crl })).toBe('leaf.pem: OK\n')
  },
)

test('the metadata describe the type and the claims as paths', async () => {
  const tenant = await service.addTenant()
  const id = await sdJwtConfiguration(tenant, { display: [{ name: 'Karte', locale: 'de' }] })
  const { body } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  expect(body.credential_configurations_supported[id]).toMatchObject({
    ...{ format: 'dc+sd-jwt', vct: 'urn:example:student-card', scope: id },
    credential_signing_alg_values_supported: ['ES256'],
    cryptographic_binding_methods_supported: ['jwk'],
    credential_metadata: {
      display: [{ name: 'Karte', locale: 'de' }],
      claims: [
        { path: ['given_name'], mandatory: true, display: [{ name: 'given_name' }] },
        { path: ['level'], mandatory: false },
        { path: ['address'], mandatory: false },
        { path: ['address', 'locality'], mandatory: false },
        { path: ['degrees'], mandatory: true },
        { path: ['degrees', null, 'type'], mandatory: true },
      ],
    },
  })
})

test('the credentials of a batch have nothing in common except their type, times and visible claims', async () => {
  const tenant = await service.addTenant()
  await newIaca(tenant)
  const configurationId = await sdJwtConfiguration(tenant, { includeStatus: true, expiresIn: { years: 1 } })
  const issued = await issueSdJwt(service, tenant, configurationId, { copies: 20 })
  const read = issued.map(({ credential }) => readSdJwt(credential))
  const different = (values: unknown[]) =>
    expect(new Set(values.map((each) => JSON.stringify(each))).size).toBe(values.length)
  different(read.map(({ payload }) => payload.cnf))
  different(read.map(({ payload }) => payload.status?.status_list.idx))
  different(read.flatMap(({ disclosures }) => disclosures.map(([salt]) => salt)))
  different(read.flatMap(({ payload }) => payload._sd))
  const common = read.map(({ payload: { vct, iat, exp, level, ...rest } }) => {
    expect(Object.keys(rest).sort()).toEqual(['_sd', '_sd_alg', 'cnf', 'status'])
    return JSON.stringify({ vct, iat, exp, level })
  })
  expect(new Set(common).size).toBe(1)
  // Days of UTC. The issuance is not before the certificate of the signer.
  expect(read[0]!.payload.exp % 86_400).toBe(0)
})

describe('the status of an SD-JWT VC', () => {
  let tenant: TestTenant
  let configurationId: string
  beforeAll(async () => {
    tenant = await service.addTenant()
    await newIaca(tenant)
    configurationId = await sdJwtConfiguration(tenant, { revocable: true })
  })
  const setStatus = ({ operator }: TestTenant, id: string, status: string) =>
    operator.post(`/v2/credentials/sd-jwt/${id}/status`, { status })
  const isRefused = (credential: string) =>
    verifySdJwt(credential, tenant).then(
      () => false,
      (error: Error) => error.message.includes('Status'),
    )

  test('a suspended or revoked credential is refused by the outside verifier, and a revocation is final', async () => {
    const [first, second] = await issueSdJwt(service, tenant, configurationId, { copies: 2 })
    expect(await isRefused(first!.credential)).toBe(false)
    expect(await setStatus(tenant, first!.id, 'suspended')).toMatchObject({
      status: 201,
      body: { status: 'suspended' },
    })
    await eventually(() => isRefused(first!.credential))
    expect(await isRefused(second!.credential)).toBe(false)
    expect((await tenant.operator.get(`/v2/credentials/sd-jwt/${first!.id}/status`)).body).toEqual({
      status: 'suspended',
    })
    await setStatus(tenant, first!.id, 'valid')
    await eventually(async () => !(await isRefused(first!.credential)))
    await setStatus(tenant, first!.id, 'invalid')
    await eventually(() => isRefused(first!.credential))
    for (const status of ['valid', 'suspended']) {
      expect(await setStatus(tenant, first!.id, status)).toMatchObject({ status: 409 })
    }
  })

  test('a list is published as a JWT by default, with two bits for each entry, and its address is listed', async () => {
    const [issued] = await issueSdJwt(service, tenant, configurationId)
    const { uri } = readSdJwt(issued!.credential).payload.status!.status_list
    const { headers, body } = await tenant.anonymous.get(new URL(uri).pathname)
    expect(headers['content-type']).toBe('application/statuslist+jwt')
    const payload = JSON.parse(Buffer.from(body.split('.')[1], 'base64url').toString())
    expect(payload).toMatchObject({ sub: uri, status_list: { bits: 2 } })
    const listed = await tenant.anonymous.get('/v2/credentials/sd-jwt/status-lists/distribution')
    expect(listed.body).toEqual({ status_lists: [uri] })
    expect((await tenant.anonymous.get('/v2/credentials/mobile/status-lists/distribution')).body).toEqual({
      status_lists: [],
    })
    const { aggregation_uri } = payload.status_list
    expect(aggregation_uri).toBe(`${tenant.baseUrl}/v2/credentials/status-lists/distribution`)
    expect((await tenant.anonymous.get(new URL(aggregation_uri).pathname)).body).toEqual({ status_lists: [uri] })
    const all = (await tenant.operator.get('/v2/credentials/status-lists')).body.data
    expect(all).toMatchObject([{ profile: 'sd-jwt', url: uri, format: 'draft14' }])
  })

  test('a bulk request revokes all credentials of the configuration', async () => {
    const issued = await issueSdJwt(service, tenant, configurationId, { copies: 3 })
    const bulk = { credentials: issued.map(({ id }) => id), isRevoked: true }
    const { body } = await tenant.operator.post('/v2/credentials/revocation-status', bulk)
    const path = `/v2/credentials/revocation-status/${body.id}`
    await eventually(async () => (await tenant.operator.get(path)).body.state === 'done')
    for (const { credential } of issued) await eventually(() => isRefused(credential))
  })

  test('another tenant can neither see nor change it, and a credential without status has none', async () => {
    const [issued] = await issueSdJwt(service, tenant, configurationId)
    const other = await service.addTenant()
    const path = `/v2/credentials/sd-jwt/${issued!.id}`
    expect(await other.operator.get(`${path}/status`)).toMatchObject({ status: 404 })
    expect(await setStatus(other, issued!.id, 'invalid')).toMatchObject({ status: 404 })
    expect(await other.operator.delete(path)).toMatchObject({ status: 404 })
    expect(await tenant.operator.get(`/v2/credentials/mobile/${issued!.id}/status`)).toMatchObject({ status: 404 })
    const [plain] = await issueSdJwt(service, tenant, await sdJwtConfiguration(tenant))
    expect(readSdJwt(plain!.credential).payload.status).toBeUndefined()
    expect(await setStatus(tenant, plain!.id, 'invalid')).toMatchObject({ status: 404 })
    expect(await tenant.operator.delete(path)).toMatchObject({ status: 204 })
    await eventually(() => isRefused(issued!.credential))
  })
})

describe('claims that do not fit the tree', () => {
  let tenant: TestTenant
  beforeAll(async () => {
    tenant = await service.addTenant()
    await newIaca(tenant)
  })
  const typed = {
    ...sdJwtMappings,
    age: { mapFrom: 'claims.age', type: 'integer' },
    extra: { mapFrom: 'claims.extra' },
  }
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })
  const rows: [string, Record<string, unknown>, string][] = [
    ['a missing claim', { given_name: null }, 'The claim given_name must have a value'],
    ['a wrong type', { age: 'old' }, 'The claim age must be a whole number'],
    ['an empty list with required elements', { degrees: [] }, 'The claim degrees must have at least one element'],
    ['a missing element', { degrees: [{ type: 'BSc' }, {}] }, 'The claim degrees[1].type must have a value'],
    ['a reserved name', { extra: { _sd: [] } }, 'The claim extra._sd must have another name'],
    ['too many levels', { extra: deep(11) }, 'must have at most 10 levels'],
  ]

  test.each(rows)(
    '%s is refused with the path, in events and timeline too',
    { tags: 'once' },
    async (_what, wrong, message) => {
      const id = await sdJwtConfiguration(tenant, { claimMappings: typed })
      const user = await tenant.operator.post('/v1/users', { claims: { ...sdJwtClaims, ...wrong } })
      expect(user.status).toBe(201)
      const offer = await newOffer(tenant, [id], { userId: user.body.id, claims: {} })
      const wallet = await newWallet(tenant, service.origin, offer.uri)
      await wallet.redeem()
      const { status, body } = await wallet.requestCredential({ proofs: { jwt: [await wallet.proof()] } })
      expect([status, body.error]).toEqual([400, 'credential_request_denied'])
      const records = await tenant.operator.get(`/v1/users/${offer.userId}/credentials`)
      expect(records.body.data).toEqual([])
      await eventually(async () => {
        const timeline = await tenant.operator.get(`/v1/openid/offers/${offer.id}/timeline`)
        return JSON.stringify(timeline.body).includes(message)
      })
      const events = await eventually(async () => {
        const { data } = (await tenant.operator.get(`/v1/events?types=OPENID_CREDENTIAL_FAIL&limit=1000`)).body
        return data.some((each: object) => JSON.stringify(each).includes(message)) && data
      })
      expect(JSON.stringify(events)).not.toContain('Lovelace')
    },
  )

  test('an offer with such claims is refused with the path, and missing claims can still follow', async () => {
    const id = await sdJwtConfiguration(tenant, { claimMappings: typed })
    const offer = (claims: object) =>
      tenant.operator.post('/v1/openid/offers/pre-authorized', { credentials: [id], claims })
    expect(await offer({ age: 'old' })).toMatchObject({
      status: 400,
      body: { details: [{ param: 'claims', msg: expect.stringContaining('The claim age must be a whole number') }] },
    })
    expect(await offer({ age: 3 })).toMatchObject({ status: 200 })
  })
})

test('a configuration can name the authority whose signer signs, and an inactive authority signs nothing', async () => {
  const tenant = await service.addTenant()
  const first = await newIaca(tenant, { commonName: 'First' })
  await newIaca(tenant, { commonName: 'Second' })
  const configurationId = await sdJwtConfiguration(tenant, { signerCaId: first.id })
  const [issued] = await issueSdJwt(service, tenant, configurationId)
  const { header } = readSdJwt(issued!.credential)
  const crl = await crlOf(service, tenant, first.id)
  expect(await verifyStrictly({ leaf: pemOf(header.x5c[0]), root: first.certificatePem, crl })).toBe('leaf.pem: OK\n')
  await tenant.operator.put(`/v2/credentials/mobile/iacas/${first.id}`, { active: false })
  // A signing process caches a signer for a second. Its signature is then not committed.
  await eventually(async () => {
    const refused = await issueSdJwt(service, tenant, configurationId).catch((error) => error)
    return String(refused).includes('credential_request_denied')
  })

  const other = await service.addTenant()
  const foreign = { vct: 'urn:x', name: 'X', claimMappings: sdJwtMappings, signerCaId: first.id }
  expect(await other.operator.post('/v2/credentials/sd-jwt/configurations', foreign)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'signerCaId' }] },
  })
})
