import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { FormatError } from '../../../../shared/formats/format-error.ts'
import { resolveTree } from '../../../../shared/formats/sd-jwt/claim-tree.ts'
import { decodeSdJwt } from '../../../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { encodeClaims, joinSdJwt } from '../../../../shared/formats/sd-jwt/encode-claims.ts'
import { registeredClaims } from '../../../../shared/formats/sd-jwt/names.ts'
import { buildPayload } from '../../../../shared/formats/sd-jwt/registered-claims.ts'
import { encode, sdJwtOf } from './factories.ts'

const read = (disclosure: string): unknown[] => JSON.parse(Buffer.from(disclosure, 'base64url').toString())

test('a disclosable claim leaves only a digest in the payload', () => {
  const { payload, disclosures } = encode(
    { given_name: 'Ada', level: 3 },
    { given_name: {}, level: { disclose: 'never' } },
  )
  expect(payload).toEqual({ level: 3, _sd: [expect.stringMatching(/^[\w-]{43}$/)], _sd_alg: 'sha-256' })
  expect(disclosures.map(read)).toEqual([[expect.stringMatching(/^[\w-]{22}$/), 'given_name', 'Ada']])
})

test('a payload without digests has neither _sd nor _sd_alg', () => {
  const tree = { level: {}, address: { members: { city: {} } }, list: { each: {} } }
  const claims = { level: 3, address: { city: 'Bern' }, list: [] }
  expect(encode(claims, tree, { disclose: 'never' })).toEqual({ payload: claims, disclosures: [] })
  expect(encode({}, tree)).toEqual({ payload: {}, disclosures: [] })
})

test('a disclosable claim in a disclosable object has a disclosure of its own', () => {
  const { payload, disclosures } = encode({ address: { city: 'Bern' } }, { address: { members: { city: {} } } })
  expect(Object.keys(payload)).toEqual(['_sd', '_sd_alg'])
  const [city, address] = disclosures.map(read)
  expect(city?.slice(1)).toEqual(['city', 'Bern'])
  expect(address?.slice(1)).toEqual(['address', { _sd: [expect.any(String)] }])
})

test('the elements of an array keep their places as digests', () => {
  const tree = { nationalities: { each: {}, disclose: 'never' } } as const
  const { payload, disclosures } = encode({ nationalities: ['CH', 'NZ'] }, tree)
  expect(payload.nationalities).toEqual([{ '...': expect.any(String) }, { '...': expect.any(String) }])
  expect(disclosures.map((each) => read(each).slice(1))).toEqual([['CH'], ['NZ']])
  const second = joinSdJwt(`${sdJwtOf({ nationalities: ['CH', 'NZ'] }, tree).split('~')[0]}`, [])
  expect(decodeSdJwt(second).claims).toEqual({ nationalities: [] })
})

test('discloseEach applies to the elements, and disclose to the array', () => {
  const tree = { list: { each: {}, disclose: 'always', discloseEach: 'never' } } as const
  const { disclosures } = encode({ list: [1, 2] }, tree, { disclose: 'never' })
  expect(disclosures.map((each) => read(each).slice(1))).toEqual([['list', [1, 2]]])
})

test('the digests of an object are sorted, whatever the order of the claims', () => {
  const names = Array.from({ length: 20 }, (_, at) => `claim_${at}`)
  const { payload } = encode(
    Object.fromEntries(names.map((name) => [name, name])),
    Object.fromEntries(names.map((name) => [name, {}])),
  )
  const digests = payload._sd as string[]
  expect(digests).toEqual(digests.toSorted())
})

test('decoys fill the digests of each object up to a multiple, also where all claims are missing', () => {
  const tree = {
    a: {},
    b: {},
    c: {},
    inner: { members: { d: {} }, disclose: 'never' },
    plain: { disclose: 'never' },
  } as const
  const counts = (claims: Record<string, unknown>) => {
    const { payload, disclosures } = encode(claims, tree, { decoys: { upTo: 3 } })
    const { inner } = payload as { inner?: { _sd: string[] } }
    return [(payload._sd as string[]).length, inner?._sd.length, disclosures.length]
  }
  expect(counts({ a: 1 })).toEqual([3, undefined, 1])
  expect(counts({ a: 1, b: 2, c: 3, inner: { d: 4 } })).toEqual([3, 3, 4])
  expect(counts({ inner: {} })).toEqual([3, 3, 0])
  expect(encode({ plain: 1 }, { plain: { disclose: 'never' } }, { decoys: { upTo: 3 } }).payload).toEqual({ plain: 1 })
})

test('decoys are ignored when claims are rebuilt', () => {
  const claims = { a: 1, inner: { d: 4 } }
  const tree = { a: {}, inner: { members: { d: {} } } }
  expect(decodeSdJwt(sdJwtOf(claims, tree, { decoys: { upTo: 8 } })).claims).toEqual(claims)
})

test('a payload with decoys has the hash algorithm, although nothing is disclosed', () => {
  const tree = { inner: { members: { d: {} }, disclose: 'never' } } as const
  const { payload } = encode({ inner: {} }, tree, { decoys: { upTo: 2 } })
  expect(payload).toEqual({ inner: { _sd: [expect.any(String), expect.any(String)] }, _sd_alg: 'sha-256' })
})

test('a claim without members in the tree is disclosed as a whole', () => {
  const address = { city: 'Bern', lines: ['a', null, { b: [] }] }
  const { disclosures } = encode({ address }, { address: {} })
  expect(disclosures.map((each) => read(each).slice(1))).toEqual([['address', address]])
  expect(decodeSdJwt(sdJwtOf({ address }, { address: { disclose: 'never' } })).claims).toEqual({ address })
})

test('two encodings of the same claims have nothing in common', () => {
  const encodings = [1, 2].map(() => encode({ a: 1, b: [2] }, { a: {}, b: { each: {} } }, { decoys: { upTo: 4 } }))
  const [one, other] = encodings.map(({ payload, disclosures }) => [...(payload._sd as string[]), ...disclosures])
  expect(one?.filter((each) => other?.includes(each))).toEqual([])
})

test.each(registeredClaims)('the claim %s and everything below it is visible, whatever the tree says', (name) => {
  const inner = { members: { x: { disclose: 'always' }, list: { each: {}, discloseEach: 'always' } } } as const
  const tree = { [name]: { ...inner, disclose: 'always' } } as const
  const claims = { [name]: { x: 1, list: [2] } }
  expect(encode(claims, tree)).toEqual({ payload: claims, disclosures: [] })
})

test('a claim below another name is disclosable, although a registered claim has the same name', () => {
  expect(encode({ other: { status: 1 } }, { other: { members: { status: {} } } }).disclosures).toHaveLength(2)
})

test('claims that the tree does not describe are never encoded', () => {
  const unchecked = { claims: { secret: 1 }, tree: resolveTree({}), disclosureCount: 1 }
  expect(() => encodeClaims(unchecked, randomBytes)).toThrow('not checked')
  // A claim that was added after the check has no salt.
  const added = { claims: { secret: 1 }, tree: resolveTree({ secret: {} }), disclosureCount: 0 }
  expect(() => encodeClaims(added, randomBytes)).toThrow('not checked')
})

test('the payload has the claims of the frame, with dates in whole seconds', () => {
  const frame = {
    vct: 'urn:example:1',
    vctIntegrity: 'sha256-x',
    akaVcts: ['urn:example'],
    issuer: 'https://issuer.example',
    issuedAt: new Date(1_000_500),
    notBefore: new Date(2_000_000),
    expiresAt: new Date(3_000_000),
    holderJwk: { kty: 'OKP', crv: 'Ed25519', x: 'x' },
    status: { idx: 7, uri: 'https://issuer.example/lists/1' },
  } as const
  expect(buildPayload(frame, { level: 3 })).toEqual({
    iss: 'https://issuer.example',
    vct: 'urn:example:1',
    'vct#integrity': 'sha256-x',
    aka_vcts: ['urn:example'],
    iat: 1000,
    nbf: 2000,
    exp: 3000,
    cnf: { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x' } },
    status: { status_list: { idx: 7, uri: 'https://issuer.example/lists/1' } },
    level: 3,
  })
  const least = { vct: 'urn:example:1', akaVcts: [], issuedAt: new Date(0) }
  expect(buildPayload(least, {})).toEqual({ vct: 'urn:example:1', iat: 0 })
  for (const name of registeredClaims) expect(() => buildPayload(least, { [name]: 1 })).toThrow(FormatError)
})

test('the time is linear in the size of the claims', () => {
  const cpuOf = (count: number) => {
    const list = Array.from({ length: count }, (_, at) => ({ at, inner: { deep: 'x'.repeat(20) } }))
    const tree = { list: { each: { members: { at: {}, inner: { members: { deep: {} } } } } } }
    const before = process.threadCpuUsage()
    decodeSdJwt(sdJwtOf({ list }, tree, { decoys: { upTo: 2 } }))
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
  const leastOf = (count: number) => Math.min(...Array.from({ length: 5 }, () => cpuOf(count)))
  leastOf(300)
  expect(leastOf(2400) / leastOf(300)).toBeLessThan(24)
})
