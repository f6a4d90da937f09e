import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../shared/ids.ts'
import type { SignatureRequest } from '../../../shared/jobs/payloads.ts'
import { createLog } from '../../../shared/log/log.ts'
import { commitSignatures } from '../../../workers/signing/direct/commit-signatures.ts'
import { signDirectly } from '../../../workers/signing/direct/sign-directly.ts'
import type { Keyring } from '../../../workers/signing/keys/keyring.ts'
import { newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { sdJwtConfiguration, sdJwtMappings } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { sdJwtClaims } from '../../harness/issued-sd-jwt.ts'
import { signingDeps } from '../../harness/published.ts'
import { testSigner } from '../../harness/test-signer.ts'
import { readSdJwt, verifySdJwt } from '../../verifiers/sd-jwt-verifier.ts'
import { newHolderKey } from '../../wallets/wallet.ts'

let service: Service
let tenant: TestTenant
let iacaId: string
beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  iacaId = (await newIaca(tenant)).id
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v2/credentials/sd-jwt/sign'
const sign = (body: object, by = tenant) => by.operator.post(path, body)
const vct = 'urn:example:pass'
const claimMappings = {
  given_name: { mapFrom: 'claims.given_name', required: true },
  level: { mapFrom: 'claims.level' },
}
const withTree = { vct, claimMappings, claims: { given_name: 'Ada', level: 3, unused: true } }

test('claims and a tree give a credential that the library verifies, bound to the key of the holder', async () => {
  const { publicJwk } = await newHolderKey()
  const { status, body } = await sign({ ...withTree, disclose: 'never', decoys: { upTo: 2 }, holderKey: publicJwk })
  expect(status, JSON.stringify(body)).toBe(200)
  const { payload, disclosures } = readSdJwt(body.encoded)
  expect(payload).toEqual({
    ...{ vct, given_name: 'Ada', level: 3, iat: payload.iat, exp: payload.exp },
    cnf: { jwk: publicJwk },
  })
  expect(disclosures).toEqual([])
  expect(await verifySdJwt(body.encoded, tenant)).toEqual(body.decoded)
  expect(await tenant.operator.get(`/v2/credentials/sd-jwt/${body.id}/status`)).toMatchObject({ status: 404 })
})

test('a configuration gives the type, its metadata, the claims, the lifetime and the status', async () => {
  const configurationId = await sdJwtConfiguration(tenant, {
    ...{ vct: undefined, includeStatus: true, expiresIn: { days: 30 } },
  })
  const { status, body } = await sign({ configurationId, claims: sdJwtClaims })
  expect(status, JSON.stringify(body)).toBe(200)
  const { payload } = readSdJwt(body.encoded)
  expect(payload).toMatchObject({ level: 1, 'vct#integrity': expect.stringMatching(/^sha256-/) })
  expect(payload).not.toHaveProperty('cnf')
  const days = (payload.exp - service.clock.now().getTime() / 1000) / 86_400
  expect([days > 29, days < 31]).toEqual([true, true])
  expect(await verifySdJwt(body.encoded, tenant)).toMatchObject({ given_name: 'Ada', address: { locality: 'Bern' } })

  const statusPath = `/v2/credentials/sd-jwt/${body.id}/status`
  expect(await tenant.operator.post(statusPath, { status: 'suspended' })).toMatchObject({ status: 201 })
  const isRefused = () =>
    verifySdJwt(body.encoded, tenant).then(
      () => false,
      () => true,
    )
  await eventually(isRefused)
  await tenant.operator.post(statusPath, { status: 'valid' })
  await eventually(async () => !(await isRefused()))
  expect(await tenant.operator.delete(`/v2/credentials/sd-jwt/${body.id}`)).toMatchObject({ status: 204 })
  await eventually(isRefused)
})

test('a lifetime of a configuration that is longer than the signer is valid ends with the signer', async () => {
  const configurationId = await sdJwtConfiguration(tenant, { expiresIn: { years: 2 } })
  const { status, body } = await sign({ configurationId, claims: sdJwtClaims })
  expect(status, JSON.stringify(body)).toBe(200)
  const { header, payload } = readSdJwt(body.encoded)
  const signer = new X509Certificate(Buffer.from(header.x5c[0]!, 'base64'))
  expect(payload.exp * 1000).toBe(signer.validToDate.getTime())
})

test('times of the request are rounded as those of issued credentials, by a second if the validity is short', async () => {
  const day = 86_400
  const now = Math.floor(service.clock.now().getTime() / 1000)
  const timesOf = async (fromIn: number, untilIn: number) => {
    const [validFrom, validUntil] = [fromIn, untilIn].map((each) => new Date((now + each) * 1000).toISOString())
    const { status, body } = await sign({ ...withTree, validFrom, validUntil })
    expect(status, JSON.stringify(body)).toBe(200)
    return readSdJwt(body.encoded).payload
  }
  const { nbf, exp } = await timesOf(2 * day + 1, 30 * day + 1)
  const startOfDay = (at: number) => Math.floor(at / day) * day
  expect([nbf, exp]).toEqual([startOfDay(now + 2 * day + 1), startOfDay(now + 30 * day + 1)])
  expect((await timesOf(0, 90)).exp).toBe(now + 90)
})

const over = new Date('2000-01-01T00:00:00.000Z').toISOString()
const agreementKey = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })
const refusals: [string, object, string][] = [
  ['a missing claim', { ...withTree, claims: {} }, 'claims'],
  ['neither a tree nor a configuration', { claims: {} }, 'vct'],
  ['a tree and a configuration', { ...withTree, configurationId: newId() }, 'vct'],
  ['an unknown configuration', { configurationId: newId(), claims: {} }, 'configurationId'],
  ['a private key', { ...withTree, holderKey: { kty: 'EC', crv: 'P-256', d: 'x' } }, 'holderKey'],
  ['a key that cannot sign', { ...withTree, holderKey: agreementKey }, 'holderKey'],
  ['an end in the past', { ...withTree, validUntil: over }, 'validUntil'],
  ['a start after the end of the signer', { ...withTree, validFrom: '2099-01-01T00:00:00.000Z' }, 'validFrom'],
  ['an end after that of the signer', { ...withTree, validUntil: '2099-01-01T00:00:00.000Z' }, 'validUntil'],
]

test.each(refusals)('%s is refused', async (_what, body, param) => {
  const answer = await sign(body)
  expect(answer.status).toBe(400)
  expect(answer.body.details.map((each: { param: string }) => each.param)).toContain(param)
})

test('a fault names the path of the claim, and the configuration of another tenant does not exist', async () => {
  const typed = { claimMappings: { age: { mapFrom: 'claims.age', type: 'integer' } }, vct, claims: { age: 'old' } }
  expect((await sign(typed)).body.details).toMatchObject([
    { param: 'claims', msg: 'The claim age must be a whole number' },
  ])
  const configurationId = await sdJwtConfiguration(tenant, { claimMappings: { level: sdJwtMappings.level } })
  const other = await service.addTenant()
  expect(await sign({ configurationId, claims: {} }, other)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'configurationId' }] },
  })
  expect(await sign(withTree, other)).toMatchObject({ status: 400, body: { message: expect.stringContaining('IACA') } })
})

test('nothing is committed that a deactivated certificate has signed', async () => {
  await sign(withTree)
  const signers = (await tenant.operator.get(signersPath('sd-jwt-signer'))).body.data
  const certificateIds = [signers[0].id, iacaId]
  const commit = async () => {
    const request = {
      tenantId: tenant.id,
      credentialId: newId(),
      issuedAt: Date.now(),
      isRevoked: false,
    } as SignatureRequest
    const content = { profile: 'sd-jwt' } as SignatureRequest['content']
    const signed = {
      request: { ...request, content },
      statusIndex: undefined,
      credential: '',
      certificateIds,
      signerId: signers[0].id,
    }
    return (await commitSignatures(signingDeps(service), tenant.id, [signed]))?.size
  }
  expect(await commit()).toBe(1)
  await tenant.operator.put(`${signersPath('sd-jwt-signer')}/${signers[0].id}`, { active: false })
  expect(await commit()).toBe(0)
})

test('a signature that does not verify is an internal error, and not a fault of the claims', async () => {
  const { sign } = testSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const keyring: Keyring = {
    ...service.keyring,
    signer: async (...key) => ({ ...(await service.keyring.signer(...key)), sign }),
  }
  const settings = {
    claimMappings,
    disclose: 'always',
    decoys: { upTo: 0 },
    roundTimesTo: 'day',
    includeIssuer: false,
  } as const
  const request: SignatureRequest = {
    ...{ tenantId: tenant.id, credentialId: newId(), issuerDid: '', issuedAt: Date.now() },
    ...{ revocable: false, isRevoked: false },
    content: { profile: 'sd-jwt', type: vct, claims: { given_name: 'Ada' }, settings },
  }
  const log = createLog({ process: 'test', level: 'silent', pretty: false })
  const { outcomes } = await signDirectly(signingDeps(service, { keyring, log }), [request])
  expect(outcomes).toMatchObject([{ problem: { problem: 'internal' } }])
})
