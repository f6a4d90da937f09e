import { importJWK, type JWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca, signersPath } from '../certificates/hierarchy.ts'
import { sdJwtConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { issueSdJwt, sdJwtClaims } from '../harness/issued-sd-jwt.ts'
import { readSdJwt, verifySdJwt } from '../verifiers/sd-jwt-verifier.ts'

let service: Service
let tenant: TestTenant
beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  await newIaca(tenant)
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/.well-known/jwt-vc-issuer'

/** Finds the key of a credential as a verifier without trusted roots does, and verifies the signature with jose. */
async function verifyByMetadata(credential: string, { anonymous }: TestTenant) {
  const { status, body } = await anonymous.get(path)
  expect(status).toBe(200)
  const { header, payload } = readSdJwt(credential) as unknown as { header: { kid: string }; payload: { iss: string } }
  expect(body.issuer).toBe(payload.iss)
  const jwk = body.jwks.keys.find(({ kid }: JWK) => kid === header.kid)
  const [jwt = ''] = credential.split('~')
  const currentDate = service.clock.now()
  return jwtVerify(jwt, await importJWK(jwk, 'ES256'), { issuer: body.issuer, typ: 'dc+sd-jwt', currentDate })
}

test('a credential has no iss by default, and a tenant without a signer publishes no metadata', async () => {
  const other = await service.addTenant()
  expect(await other.anonymous.get(path)).toMatchObject({ status: 404 })
  await newIaca(other)
  const [issued] = await issueSdJwt(service, other, await sdJwtConfiguration(other))
  const { header, payload } = readSdJwt(issued!.credential)
  expect(payload).not.toHaveProperty('iss')
  expect(header).not.toHaveProperty('kid')
})

test('with includeIssuer, iss leads to the key of the signer, beside x5c', async () => {
  const configurationId = await sdJwtConfiguration(tenant, { includeIssuer: true })
  const issued = await issueSdJwt(service, tenant, configurationId, { copies: 2 })
  for (const { credential } of issued) {
    const { payload } = await verifyByMetadata(credential, tenant)
    expect(payload.iss).toBe(tenant.baseUrl)
    expect(readSdJwt(credential).header.x5c).toHaveLength(1)
    expect(await verifySdJwt(credential, tenant)).toMatchObject({ iss: tenant.baseUrl, given_name: 'Ada' })
    const verified = await tenant.operator.post('/v2/credentials/sd-jwt/verify', { payload: credential })
    expect(verified.body).toMatchObject({ verified: true, claims: { iss: tenant.baseUrl } })
  }
})

test('the metadata are public, readable by scripts, and have a freshness and only public keys', async () => {
  const { headers, body } = await tenant.anonymous.get(path)
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('application/json'),
    'access-control-allow-origin': '*',
    'cache-control': expect.stringContaining('max-age'),
  })
  expect(Object.keys(body)).toEqual(['issuer', 'jwks'])
  for (const key of body.jwks.keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' })
  }
})

test('the key of a replaced signer stays published, and that of a revoked one does not', async () => {
  const own = await service.addTenant()
  const { id: iacaId } = await newIaca(own)
  const configurationId = await sdJwtConfiguration(own, { includeIssuer: true })
  const [first] = await issueSdJwt(service, own, configurationId)
  const signers = signersPath('sd-jwt-signer')
  const [{ id }] = (await own.operator.get(signers)).body.data
  expect(await own.operator.post(signers, { iacaId })).toMatchObject({ status: 201 })
  expect(await own.operator.put(`${signers}/${id}`, { active: false })).toMatchObject({ status: 200 })
  await verifyByMetadata(first!.credential, own)
  expect((await own.anonymous.get(path)).body.jwks.keys).toHaveLength(2)
  expect(await own.operator.post(`${signers}/${id}/revoke`, {})).toMatchObject({ status: 200 })
  expect((await own.anonymous.get(path)).body.jwks.keys).toHaveLength(1)
  await expect(verifyByMetadata(first!.credential, own)).rejects.toThrow()
})

test('a directly signed credential has iss if its configuration or its request says so', async () => {
  const sign = async (body: object) => {
    const answer = await tenant.operator.post('/v2/credentials/sd-jwt/sign', { claims: sdJwtClaims, ...body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.encoded as string
  }
  const configurationId = await sdJwtConfiguration(tenant, { includeIssuer: true })
  await verifyByMetadata(await sign({ configurationId }), tenant)
  const own = { vct: 'urn:example:pass', claimMappings: { given_name: { mapFrom: 'claims.given_name' } } }
  await verifyByMetadata(await sign({ ...own, includeIssuer: true }), tenant)
  expect(readSdJwt(await sign(own)).payload).not.toHaveProperty('iss')
  const both = { claims: {}, configurationId, includeIssuer: true }
  expect(await tenant.operator.post('/v2/credentials/sd-jwt/sign', both)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'includeIssuer' }] },
  })
})
