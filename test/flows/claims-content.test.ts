import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer, semanticConfiguration, webConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { expectOauthError } from '../harness/oauth-error.ts'
import { type DidDocument, fetchDidDocument, plain, verifyCwt, verifyJsonLd } from '../verifiers/outside-verifiers.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: SharedService
let did: DidDocument
beforeAll(async () => {
  service = await joinService()
  did = await fetchDidDocument(service.anonymous)
})
afterAll(() => service[Symbol.asyncDispose]())

type Claims = Record<string, unknown>
const holder = await newHolderKey()
const offersPath = '/v1/openid/offers/pre-authorized'

const profiles = {
  compact: compactConfiguration,
  'compact-semantic': semanticConfiguration,
  'web-semantic': webConfiguration,
}
type Profile = keyof typeof profiles
const all = Object.keys(profiles) as Profile[]

const pathTo = (name: string) => `claims['${name.replaceAll(/[\\']/g, '\\$&')}']`
const mappingsFor = (names: string[]) => Object.fromEntries(names.map((name) => [name, { mapFrom: pathTo(name) }]))

/** Offers these claims, takes the credential, has it verified by others, and reads the claims that were signed. */
async function signed(profile: Profile, claims: Claims): Promise<Claims> {
  const configuration = await profiles[profile](service, { claimMappings: mappingsFor(Object.keys(claims)) })
  const offer = await newOffer(service, [configuration], {
    claims,
    claimsToPersist: Object.keys(claims).slice(0, 1000),
  })
  const wallet = await newWallet(service, service.origin, offer.uri, holder)
  const { status, body } = await wallet.collect()
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  const [{ credential }] = body.credentials
  return profile === 'web-semantic' ? readJsonLd(credential) : readCwt(profile, credential)
}

async function readJsonLd(credential: { credentialSubject: Claims }): Promise<Claims> {
  expect(await verifyJsonLd(credential, did)).toBe(true)
  const { id, ...claims } = credential.credentialSubject
  return claims
}

function readCwt(profile: Profile, credential: string): Claims {
  const { claims } = verifyCwt(credential, did)
  if (profile === 'compact') {
    const custom = [...claims].filter(([name]) => typeof name === 'string' && name !== 'type')
    return plain(new Map(custom)) as Claims
  }
  return plain((claims.get('vc') as Map<string, unknown>).get('credentialSubject')) as Claims
}

async function kept(claims: Claims): Promise<Claims> {
  const { body } = await service.operator.post('/v1/users', { claims })
  return (await service.operator.get(`/v1/users/${body.id}`)).body.claims
}

const unicode = {
  astral: '𝒜𝓭𝓪 👩🏽‍🚀',
  combining: 'e\u0301 is not \u00e9',
  'right to left': '\u202bאדה לאבלייס\u202c',
  controls: '\u0001\u001f\u007f\u0085\u2028\u2029',
  noncharacter: '\ufffe\uffff\u{10ffff}',
  quotes: `"'\\<>&\n\r\t`,
  empty: '',
  'имя\u0301': 'a name',
}

const jsonLdNames = (claims: Claims) =>
  Object.fromEntries(Object.entries(claims).map(([name, value]) => [name.replaceAll(' ', '_'), value]))

const values = {
  half: 1.5,
  tenth: 0.1,
  smallest: 5e-324,
  largest: 1.7976931348623157e308,
  exact: 1e21,
  integer: 9007199254740991,
  negative: -9007199254740991,
  zero: 0,
  yes: true,
  no: false,
  list: [1, 'two', false, { three: [4] }],
  object: { a: { b: { c: 'd' } }, type: 'Nested' },
}

describe('the signed claims equal the offered claims:', () => {
  for (const profile of all) {
    const names = profile === 'web-semantic' ? jsonLdNames : (claims: Claims) => claims
    test(`any Unicode, in a ${profile} credential`, async () => {
      expect(await signed(profile, names(unicode))).toEqual(names(unicode))
    })

    test(`numbers, booleans, arrays and objects, in a ${profile} credential`, async () => {
      expect(await signed(profile, values)).toEqual(values)
    })

    test(`-0 as the equal 0, in a ${profile} credential`, async () => {
      expect(await signed(profile, { zero: -0 })).toEqual({ zero: 0 })
    })

    test(`names that every object inherits, in a ${profile} credential`, async () => {
      const claims = {
        constructor: 'c',
        toString: 't',
        hasOwnProperty: 1,
        valueOf: { constructor: 'n', toString: [1] },
      }
      expect(await signed(profile, claims)).toEqual(claims)
    })

    test(`60 levels of nesting, in a ${profile} credential`, async () => {
      const deep = (level: number): unknown =>
        level === 60 ? 'bottom' : level % 2 ? [deep(level + 1)] : { level, n: deep(level + 1) }
      const claims = { deep: deep(0) }
      expect(await signed(profile, claims)).toEqual(claims)
    })

    test(`400 KB of claims, in a ${profile} credential`, async () => {
      const claims = { photo: 'A'.repeat(200_000), text: 'ż'.repeat(100_000) }
      expect(await signed(profile, claims)).toEqual(claims)
    })

    test(`as many claims as a configuration can map, in a ${profile} credential`, async () => {
      const claims = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`claim${i}`, i]))
      expect(await signed(profile, claims)).toEqual(claims)
    })

    test(`5,000 claims, of which those that are mapped are signed, in a ${profile} credential`, async () => {
      const claims = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`claim${i}`, 'x'.repeat(60)]))
      const configuration = await profiles[profile](service, { claimMappings: mappingsFor(['claim4999']) })
      const offer = await newOffer(service, [configuration], { claims })
      const wallet = await newWallet(service, service.origin, offer.uri, holder)
      const { body } = await wallet.collect()
      const [{ credential }] = body.credentials
      const read = profile === 'web-semantic' ? await readJsonLd(credential) : readCwt(profile, credential)
      expect(read).toEqual({ claim4999: 'x'.repeat(60) })
    })

    test(`arrays of 1,999 values, in a ${profile} credential`, async () => {
      const claims = { list: Array.from({ length: 1999 }, (_, i) => `${i}`) }
      expect(await signed(profile, claims)).toEqual(claims)
    })

    test(`null as no value, in a ${profile} credential`, async () => {
      expect(await signed(profile, { nothing: null, something: 1 })).toEqual({ something: 1 })
    })
  }

  test('also for the claims of a user', async () => {
    expect(await kept(unicode)).toEqual(unicode)
    expect(await kept({ ...values, nothing: null })).toEqual({ ...values, nothing: null })
  })
})

describe('claims that cannot be signed exactly are refused by name, and nothing is created:', () => {
  async function refuse(body: string, status: number, param?: string) {
    const tenant = await service.addTenant()
    const configuration = await webConfiguration(tenant, { claimMappings: mappingsFor(['a', 'b']) })
    const refused = await tenant.operator.post(offersPath, body.replace('CONFIGURATION', configuration))
    expect(refused).toMatchObject({ status, ...(param === undefined ? {} : { body: { details: [{ param }] } }) })
    expect((await tenant.operator.get('/v1/users')).body.data).toEqual([])
  }
  const offering = (claims: string) => `{"credentials":["CONFIGURATION"],"claims":${claims}}`

  const rows: Record<string, [claims: string, param: string]> = {
    'an integer beyond 2^53': ['{"a":9007199254740993}', 'claims.a'],
    'a long integer': ['{"a":{"b":[12345678901234567890]}}', 'claims.a.b.0'],
    'a long integer with an exponent': ['{"a":12345678901234567890e1}', 'claims.a'],
    'a number beyond all doubles': ['{"a":1e400}', 'claims.a'],
    'a number that would become zero': ['{"a":1e-400}', 'claims.a'],
    'a member that appears twice': ['{"a":1,"a":2}', 'claims.a'],
    'the same member, escaped': ['{"a":1,"\\u0061":2}', 'claims.a'],
    'the name __proto__': ['{"__proto__":{"a":1}}', 'claims.__proto__'],
    '__proto__ inside': ['{"a":[{"__proto__":1}]}', 'claims.a.0.__proto__'],
    'U+0000': ['{"a":"x\\u0000"}', 'claims.a'],
    'half a surrogate pair': ['{"a":"\\ud800"}', 'claims.a'],
    'half a surrogate pair in a name': ['{"\\udc00":1}', 'claims.\ufffd'],
    'a null inside a claim, in JSON-LD': ['{"a":[1,null]}', 'claims'],
    'an empty array, in JSON-LD': ['{"b":[]}', 'claims'],
    'a keyword of JSON-LD': ['{"a":{"@id":"urn:x"}}', 'claims'],
    'a proof in the claims of JSON-LD': ['{"a":{"proof":"x"}}', 'claims'],
    'more values than JSON-LD canonicalises in good time': [
      JSON.stringify({ a: Array.from({ length: 2001 }, (_, i) => `${i}`) }),
      'claims',
    ],
    '65 levels of nesting': [`{"a":${'['.repeat(63)}1${']'.repeat(63)}}`, 'claims.a.0'],
  }
  for (const [name, [claims, param]] of Object.entries(rows)) {
    test(name, () => refuse(offering(claims), 400, param))
  }

  test('a number is accepted in every spelling that keeps its value', async () => {
    const text = '{"a":1.0,"b":1E2,"c":-0.50e+1,"d":100000e-3,"e":0.000}'
    const { body } = await service.operator.post('/v1/users', `{"claims":${text}}`)
    expect(body.claims).toEqual({ a: 1, b: 100, c: -5, d: 100, e: 0 })
  })

  test('501 KB', () => refuse(offering(`{"a":"${'x'.repeat(501_000)}"}`), 413))

  test('501 KB without a declared length', async () => {
    const configuration = await compactConfiguration(service)
    const body = { credentials: [configuration], claims: { a: 'x'.repeat(501_000) } }
    const response = await fetch(service.origin + offersPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await managementToken()}` },
      body: new Blob([JSON.stringify(body)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  test('claims of the user that JSON-LD cannot sign, at the credential request', async () => {
    const configuration = await webConfiguration(service, { claimMappings: mappingsFor(['a']) })
    const user = await service.operator.post('/v1/users', { claims: { a: [1, null] } })
    const offer = await newOffer(service, [configuration], { userId: user.body.id, claims: {} })
    const wallet = await newWallet(service, service.origin, offer.uri, holder)
    const refused = await wallet.collect()
    expectOauthError(refused, 'credential_request_denied')
    expect(refused.body.error_description).toContain('a[1]')
  })
})

async function managementToken(): Promise<string> {
  const { clientId, clientSecret, anonymous } = service
  const request = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
  return (await anonymous.post('/oauth/token', request)).body.access_token
}

test('claims that are expensive to canonicalize are signed or refused, and delay no other request', async () => {
  const leaf = Array.from({ length: 9 }, () => ({ k: 'v' }))
  const tree = (levels: number): unknown =>
    levels === 0 ? { k: 'v' } : [{ n: tree(levels - 1) }, { n: tree(levels - 1) }]
  for (const claims of [{ a: [{ b: leaf }, { b: leaf }] }, { a: tree(6) }]) {
    const configuration = await webConfiguration(service, { claimMappings: mappingsFor(['a']) })
    const offered = await service.operator.post(offersPath, { credentials: [configuration], claims })
    if (offered.status !== 200) {
      expect(offered).toMatchObject({ status: 400, body: { details: [{ param: 'claims' }] } })
      continue
    }
    const wallet = await newWallet(service, service.origin, offered.body.uri, holder)
    const answer = await wallet.collect()
    if (answer.status !== 200) expectOauthError(answer, 'credential_request_denied')
  }
})

test.each(all)('claims that exceed 1 MB because they are mapped repeatedly are refused: %s', async (profile) => {
  const names = Array.from({ length: 12 }, (_, n) => `claim${n}`)
  const claimMappings = Object.fromEntries(names.map((name) => [name, { mapFrom: 'claims.long' }]))
  const configuration = await profiles[profile](service, { claimMappings })
  const offer = (long: string) =>
    service.operator.post(offersPath, { credentials: [configuration], claims: { long: [long] } })
  expect(await offer('x'.repeat(85_000))).toMatchObject({
    status: 400,
    body: { details: [{ param: 'claims', msg: expect.stringContaining('longer than 1 MB in total') }] },
  })
  expect(await offer('x'.repeat(80_000))).toMatchObject({ status: 200 })

  // Claims that come later are found to be too long then.
  const user = await service.operator.post('/v1/users', { claims: { long: 'x'.repeat(85_000) } })
  const { uri } = await newOffer(service, [configuration], { userId: user.body.id })
  const answer = await (await newWallet(service, service.origin, uri, holder)).collect()
  expectOauthError(answer, 'credential_request_denied')
  expect(answer.body.error_description).toContain('longer than 1 MB')
})
