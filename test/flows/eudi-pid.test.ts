import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandLine, newCommandLine } from '../harness/command-line.ts'
import { mdlClaims, mdlNamespace, mdlType, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { elementsOf, verifyMdoc } from '../verifiers/mdoc-verifiers.ts'
import { readSdJwt, verifySdJwt } from '../verifiers/sd-jwt-verifier.ts'
import { type Attester, attestClient, attestKeys, newAttester, possessionOf } from '../wallets/attestation.ts'
import { redirectUri } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

// The types are those of the PID rulebook, version 1.2.

const folder = join(import.meta.dirname, '../../examples/tenants/eudi-pid')
const pidType = 'eu.europa.ec.eudi.pid.1'
const clientId = 'eudi-wallet'
const claims = {
  ...mdlClaims,
  birthdate: '1990-12-10',
  place_of_birth: { country: 'BE', locality: 'Ghent' },
  nationalities: ['BE', 'FR'],
  address: { country: 'BE', locality: 'Brussels', postal_code: '1000', street_address: 'Main Street' },
  issuing_country: 'BE',
  issuance_date: '2026-01-01',
  email: 'ada@example.org',
  sex: 2,
}

let service: Service
let line: CommandLine
let attester: Attester
let root: string
const instance = await newDpopKey()
const keys = await Promise.all([newHolderKey('ES256'), newHolderKey('ES256')])

beforeAll(async () => {
  service = await startService()
  line = newCommandLine(service)
  expect(await line.login()).toMatchObject({ code: 0 })
  const variables = ['--var-file', join(folder, '.variables.json')]
  const applied = await line.run(['config', 'apply', '--yes', '--folder', folder, ...variables])
  expect(applied).toMatchObject({ code: 0, stderr: '' })
  attester = await newAttester()
  const trusted = { keyAttestationRoots: [attester.rootPem] }
  expect(await service.platform.put(`/v1/tenants/${service.id}?partial=true`, trusted)).toMatchObject({ status: 200 })
  const attestation = { required: true, rootCertificates: [attester.rootPem] }
  const client = { name: 'EUDI wallet', clientId, redirectUris: [redirectUri], attestation }
  expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  root = await eventually(async () => {
    const { body } = await service.operator.get('/v2/credentials/mobile/iacas')
    return body.data[0]?.active ? body.data[0].certificatePem : false
  })
})
afterAll(async () => {
  line?.end()
  await service?.[Symbol.asyncDispose]()
})

async function redeem(code: string, dpop: string) {
  const form = { grant_type: preAuthorizedGrant, 'pre-authorized_code': code, client_id: clientId }
  return service.anonymous.post('/v1/oauth/token', new URLSearchParams(form), {
    'oauth-client-attestation': await attestClient(attester, { clientId, publicJwk: instance.publicJwk }),
    'oauth-client-attestation-pop': await possessionOf(instance, service.baseUrl),
    dpop,
  })
}

/** Collects one credential for each key, as HAIP 1.0 requires it. */
async function collect(configurationId: string): Promise<string[]> {
  const offer = await readOffer((await newOffer(service, [configurationId], { claims })).uri, service.anonymous)
  const code = offer.grants[preAuthorizedGrant]['pre-authorized_code']
  const tokenUrl = `${service.baseUrl}/v1/oauth/token`
  const first = await redeem(code, await dpopProof({ key: instance, url: tokenUrl }))
  expect(first.body.error).toBe('use_dpop_nonce')
  const tokenNonce = String(first.headers['dpop-nonce'])
  const token = await redeem(code, await dpopProof({ key: instance, url: tokenUrl, nonce: tokenNonce }))
  expect(token, JSON.stringify(token.body)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })

  const accessToken = token.body.access_token
  const { body, headers } = await service.anonymous.post('/v1/openid/nonce', undefined)
  const url = `${service.baseUrl}/v1/openid/credential`
  const dpop = await dpopProof({ key: instance, url, accessToken, nonce: String(headers['dpop-nonce']) })
  const proofs = { attestation: [await attestKeys(attester, { keys, nonce: body.c_nonce })] }
  const request = { credential_configuration_id: configurationId, proofs }
  const answer = await service.anonymous.post('/v1/openid/credential', request, {
    authorization: `DPoP ${accessToken}`,
    dpop,
  })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body.credentials.map(({ credential }: { credential: string }) => credential)
}

async function idOf(profile: 'mobile' | 'sd-jwt', type: string): Promise<string> {
  const { body } = await service.operator.get(`/v2/credentials/${profile}/configurations`)
  return body.data.find((each: Record<string, string>) => each.type === type || each.vct === type).id
}

test('the example issues a batch of the PID as mdoc, which two libraries verify', async () => {
  const credentials = await collect(await idOf('mobile', pidType))
  expect(credentials).toHaveLength(keys.length)
  for (const [at, credential] of credentials.entries()) {
    const disclosed = { [pidType]: ['family_name', 'nationality'] }
    await verifyMdoc({ credential, docType: pidType, root, key: keys[at]! }, disclosed)
    expect(elementsOf(credential)[pidType]).toMatchObject({
      ...{ nationality: ['BE', 'FR'], sex: 2, email_address: 'ada@example.org', resident_city: 'Brussels' },
      ...{ place_of_birth: new Map(Object.entries(claims.place_of_birth)) },
    })
  }
})

test('the example issues a batch of the PID as SD-JWT VC, with each member and each element disclosable', async () => {
  const credentials = await collect(await idOf('sd-jwt', 'urn:eudi:pid:1'))
  expect(credentials).toHaveLength(keys.length)
  for (const credential of credentials) {
    expect(await verifySdJwt(credential, service)).toMatchObject({
      ...{ vct: 'urn:eudi:pid:1', birthdate: '1990-12-10', date_of_expiry: '2036-01-01', sex: 2 },
      ...{ nationalities: ['BE', 'FR'], place_of_birth: claims.place_of_birth, address: claims.address },
    })
    const { payload, disclosures } = readSdJwt(credential)
    const technical = ['_sd', '_sd_alg', 'cnf', 'exp', 'iat', 'nbf', 'status', 'vct', 'vct#integrity']
    expect(technical).toEqual(expect.arrayContaining(Object.keys(payload)))
    const elements = disclosures.filter(({ length }) => length === 2).map(([, value]) => value)
    expect(elements.sort()).toEqual(['BE', 'FR'])
    const names = disclosures.filter(({ length }) => length === 3).map(([, name]) => name)
    expect(names).toEqual(
      expect.arrayContaining(['place_of_birth', 'country', 'address', 'postal_code', 'family_name']),
    )
  }
})

test('the example issues a batch of the driving licence', async () => {
  const credentials = await collect(await idOf('mobile', mdlType))
  expect(credentials).toHaveLength(keys.length)
  await verifyMdoc(
    { credential: credentials[0]!, docType: mdlType, root, key: keys[0]! },
    { [mdlNamespace]: ['age_over_18'] },
  )
})

test('all configurations of the example have a reuse policy, and are in formats of the EU', async () => {
  const { body } = await service.operator.get('/v1/openid/configuration/conformance')
  const states = body.requirements.map(({ name, state }: Record<string, string>) => [name, state])
  const met = 'met'
  expect(Object.fromEntries(states)).toMatchObject({
    reuse_policy: met,
    eudi_formats: met,
    status_list: met,
    dpop: met,
  })
})
