import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newIaca } from '../certificates/hierarchy.ts'
import { sdJwtConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { issueSdJwt } from '../harness/issued-sd-jwt.ts'
import { recomputeSdJwts } from '../verifiers/jwcrypto.ts'
import { verifySdJwt } from '../verifiers/sd-jwt-verifier.ts'

describe('jwcrypto and a recomputation of all digests', { tags: 'jwcrypto' }, () => {
  let service: SharedService
  let tenant: TestTenant
  beforeAll(async () => {
    service = await joinService()
    tenant = await service.addTenant()
    await newIaca(tenant)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test('give the claims of a batch, and count the decoys', async () => {
    const configurationId = await sdJwtConfiguration(tenant, { decoys: { upTo: 8 }, includeStatus: true })
    const texts = (await issueSdJwt(service, tenant, configurationId, { copies: 3 })).map(
      ({ credential }) => credential,
    )
    const recomputed = recomputeSdJwts(texts)
    expect(recomputed.map(({ claims }) => claims)).toEqual(
      await Promise.all(texts.map((text) => verifySdJwt(text, tenant))),
    )
    // Two objects of degrees, the address and the payload are filled up to 8 digests. They have 6 claims.
    expect(recomputed.map(({ decoys }) => decoys)).toEqual([26, 26, 26])
  })

  test('give the claims of arrays in arrays, other alphabets and names with dots', async () => {
    const claimMappings = {
      'a.b': { mapFrom: "claims['a.b']" },
      名前: { mapFrom: 'claims.name' },
      matrix: { each: { each: { mapFrom: 'claims.matrix[][]' } } },
      deep: { members: { er: { members: { est: { mapFrom: 'claims.deep', type: 'object' } } } } },
      shown: { each: { mapFrom: 'claims.shown[]' }, disclose: 'never', discloseEach: 'always' },
      hidden: { each: { mapFrom: 'claims.hidden[]' }, disclose: 'always', discloseEach: 'never' },
    }
    const claims = {
      ...{ 'a.b': '"\\\n\u{1F468}\u{200D}\u{1F469}', name: 'Möbius', matrix: [[1, 2], [], [3]] },
      ...{ deep: { list: [null, { a: [] }] }, shown: ['x', 'y'], hidden: [] },
    }
    const body = { vct: 'urn:example:deep', claimMappings, claims, decoys: { upTo: 3 } }
    const signed = await tenant.operator.post('/v2/credentials/sd-jwt/sign', body)
    expect(signed.status, JSON.stringify(signed.body)).toBe(200)
    const [recomputed] = recomputeSdJwts([signed.body.encoded])
    expect(recomputed!.claims).toEqual(signed.body.decoded)
    const { name, deep, matrix, shown } = claims
    const disclosures = { 'a.b': claims['a.b'], 名前: name, matrix, deep: { er: { est: deep } }, shown }
    expect(recomputed!.claims).toMatchObject(disclosures)
  })

  test('refuse a changed disclosure and a changed signature', async () => {
    const [issued] = await issueSdJwt(service, tenant, await sdJwtConfiguration(tenant))
    const [jwt = '', first = '', ...rest] = issued!.credential.split('~')
    const forged = Buffer.from(JSON.stringify(['salt', 'given_name', 'Eve'])).toString('base64url')
    expect(() => recomputeSdJwts([[jwt, forged, ...rest].join('~')])).toThrow('a disclosure has no digest')
    const [header, payload, signature = ''] = jwt.split('.')
    const other = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
    expect(() => recomputeSdJwts([[`${header}.${payload}.${other}`, first, ...rest].join('~')])).toThrow(
      'Verification failed',
    )
  })
})
