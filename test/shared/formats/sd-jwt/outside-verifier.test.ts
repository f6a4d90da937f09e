import { generateKeyPairSync, hash, type KeyObject, randomBytes } from 'node:crypto'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { expect, test } from 'vitest'
import { verifyEcdsa } from '../../../../shared/formats/ecdsa.ts'
import { publicJwk } from '../../../../shared/formats/jwk.ts'
import { checkKeyBinding } from '../../../../shared/formats/sd-jwt/check-key-binding.ts'
import { decodeSdJwt } from '../../../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { joinSdJwt } from '../../../../shared/formats/sd-jwt/encode-claims.ts'
import { buildPayload } from '../../../../shared/formats/sd-jwt/registered-claims.ts'
import { signEcdsa } from '../../../harness/test-signer.ts'
import { encode, part } from './factories.ts'
import { randomTree, seededBytes, seededNumbers } from './random-trees.ts'

const issuer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const holder = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const now = new Date()
const frame = { vct: 'urn:example:card:1', issuedAt: now, holderJwk: publicJwk(holder.publicKey) }

const signWith = (key: KeyObject) => (input: string) =>
  signEcdsa('P-256', Buffer.from(input), key).toString('base64url')
const verifyWith = (key: KeyObject) => (input: string, signature: string) =>
  verifyEcdsa('P-256', Buffer.from(input), key, Buffer.from(signature, 'base64url'))

/** `@sd-jwt/sd-jwt-vc` as issuer, wallet and verifier. */
const library = new SDJwtVcInstance({
  signer: signWith(issuer.privateKey),
  signAlg: 'ES256',
  verifier: verifyWith(issuer.publicKey),
  kbSigner: signWith(holder.privateKey),
  kbSignAlg: 'ES256',
  kbVerifier: verifyWith(holder.publicKey),
  hasher: (data, algorithm) => hash(algorithm.replace('-', ''), Buffer.from(data as string), 'buffer'),
  hashAlg: 'sha-256',
  saltGenerator: (length) => randomBytes(length).toString('base64url'),
})

function issue(
  claims: Record<string, unknown>,
  tree: Parameters<typeof encode>[1],
  options: Parameters<typeof encode>[2],
) {
  const { payload, disclosures } = encode(claims, tree, options)
  const input = `${part({ alg: 'ES256', typ: 'dc+sd-jwt' })}.${part(buildPayload(frame, payload))}`
  return joinSdJwt(`${input}.${signWith(issuer.privateKey)(input)}`, disclosures)
}

const registered = buildPayload(frame, {})

test('the library reads the claims of 500 random trees', async () => {
  for (let seed = 1; seed <= 500; seed++) {
    const { tree, claims, disclose } = randomTree(seededNumbers(seed))
    const text = issue(claims, tree, { disclose, decoys: { upTo: seed % 4 }, random: seededBytes(seed) })
    const { payload } = await library.verify(text)
    expect(payload, `seed ${seed}`).toEqual({ ...registered, ...claims })
  }
})

const claims = {
  given_name: 'Ada',
  address: { city: 'Bern', country: 'CH' },
  degrees: [{ type: 'BSc', year: 2001 }, { type: 'MSc' }],
  nationalities: ['CH', 'NZ'],
}
const tree = {
  given_name: {},
  address: { members: { city: {}, country: {} } },
  degrees: { each: { members: { type: {}, year: {} } } },
  nationalities: { each: {}, disclose: 'never' },
} as const

test('a presentation of the library with key binding is accepted, and has only the chosen claims', async () => {
  const text = issue(claims, tree, { decoys: { upTo: 3 } })
  const kb = { payload: { iat: Math.floor(now.getTime() / 1000), aud: 'https://verifier.example', nonce: 'n-1' } }
  const chosen = { address: { city: true }, nationalities: { 1: true } }
  const presented = await library.present(text, chosen, { kb })
  const decoded = decodeSdJwt(presented)
  expect(decoded.isSignedWith(publicJwk(issuer.publicKey))).toBe(true)
  expect(decoded.claims).toEqual({ ...registered, address: { city: 'Bern' }, nationalities: ['NZ'] })
  const expected = { nonce: 'n-1', audience: 'https://verifier.example', maxAgeMs: 60_000 }
  expect(() => checkKeyBinding(decoded, expected, now)).not.toThrow()
  expect((await library.verify(presented, { keyBindingNonce: 'n-1' })).payload).toEqual(decoded.claims)
})

test('the claims of a credential of the library are rebuilt', async () => {
  const disclosureFrame = {
    _sd: ['given_name', 'address', 'degrees'],
    _sd_decoy: 2,
    address: { _sd: ['city'], _sd_decoy: 1 },
    degrees: { _sd: [0, 1], _sd_decoy: 1, 0: { _sd: ['type', 'year'] } },
    nationalities: { _sd: [0, 1] },
  }
  // Boundary: the types of the library do not accept a frame for a payload with optional members.
  const text = await library.issue({ ...registered, vct: frame.vct, ...claims }, disclosureFrame as never)
  const decoded = decodeSdJwt(text)
  expect(decoded.isSignedWith(publicJwk(issuer.publicKey))).toBe(true)
  expect(decoded.claims).toEqual({ ...registered, ...claims })
  const [jwt] = text.split('~')
  expect(decodeSdJwt(`${jwt}~`).claims).toEqual({ ...registered, nationalities: [] })
})

test('a changed disclosure is no claim for the library, and refused by the service', async () => {
  const [jwt = '', disclosure = '', ...rest] = issue(claims, tree, {}).split('~')
  const changed = part(JSON.parse(Buffer.from(disclosure, 'base64url').toString()).with(-1, 'Bea'))
  const { payload } = await library.verify([jwt, changed, ...rest].join('~')).catch(() => ({ payload: undefined }))
  expect(payload).not.toMatchObject({ given_name: 'Bea' })
  expect(() => decodeSdJwt([jwt, changed, ...rest].join('~'))).toThrow('No digest refers to a disclosure')
})
