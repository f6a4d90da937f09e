import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { plusMs } from '../../../shared/clock.ts'
import { readStatusListJwt, statusAt } from '../../../shared/formats/status-list-jwt.ts'
import {
  buildStatusListJwt,
  compressStatuses,
  packStatuses,
  type StatusListToken,
} from '../../../shared/formats/token-status-list.ts'
import { buildCertificate, newSerialNumber } from '../../../shared/formats/x509/build-certificate.ts'
import { nameOf } from '../../../shared/formats/x509/name.ts'
import { signEs256Jwt } from '../../../workers/signing/sign-jwt.ts'
import { testSigner } from '../../harness/test-signer.ts'

const at = new Date(Math.floor(Date.now() / 1000) * 1000)
const uri = 'https://issuer.example/lists/1/token'
const dayMs = 86_400_000
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const [rootKeys, keys, otherKeys] = [newKeys(), newKeys(), newKeys()]

function certificateOf(
  kind: 'iaca' | 'status-list-signer',
  publicKey = keys.publicKey,
  issuer = rootKeys,
): Promise<Buffer> {
  const subject = { country: 'NZ', commonName: kind }
  return buildCertificate({
    ...{ kind, subject, publicKey, serialNumber: newSerialNumber() },
    issuer: { name: nameOf({ country: 'NZ', commonName: 'iaca' }), key: testSigner(issuer) },
    ...{ notBefore: plusMs(at, -dayMs), notAfter: plusMs(at, 300 * dayMs) },
    ...{
      subjectUrl: 'https://issuer.example',
      issuerUrl: 'https://issuer.example',
      crlUrl: 'https://issuer.example/crl',
    },
  })
}

const certificate = await certificateOf('status-list-signer')
const roots = [new X509Certificate(await certificateOf('iaca', rootKeys.publicKey)).toString()]
let token: StatusListToken
beforeAll(async () => {
  const packed = packStatuses([{ position: 3, value: 2 }], 100, 2)
  token = {
    ...{ format: 'draft14', bits: 2, uri, issuedAt: at, expiresAt: plusMs(at, dayMs), ttlSeconds: 60, certificate },
    compressed: await compressStatuses(packed),
  }
})

interface Changes {
  header?: object
  claims?: object
  key?: typeof keys
}

function listOf({ header = {}, claims = {}, key = keys }: Changes): Promise<string> {
  const built = buildStatusListJwt(token)
  return signEs256Jwt(testSigner(key), { ...built.header, ...header }, { ...built.claims, ...claims })
}

test('a list of a trusted issuer is read', async () => {
  const { bits, compressed } = readStatusListJwt(await listOf({}), { uri, roots, at })
  expect(bits).toBe(2)
  expect(compressed).toEqual(token.compressed)
})

test('a list that has just expired is read, because the clock of its host can differ', async () => {
  const exp = Math.floor(at.getTime() / 1000) - 59
  expect(readStatusListJwt(await listOf({ claims: { exp } }), { uri, roots, at }).bits).toBe(2)
})

test.each<[string, Changes, RegExp]>([
  ['of another type', { header: { typ: 'jwt' } }, /typ/],
  ['with another algorithm in its header', { header: { alg: 'none' } }, /algorithm/],
  ['of another subject', { claims: { sub: 'https://issuer.example/lists/2/token' } }, /another list/],
  ['without a chain', { header: { x5c: undefined } }, /no certificate chain/],
  ['with an empty chain', { header: { x5c: [] } }, /no certificate chain/],
  ['signed by another key', { key: otherKeys }, /signature is invalid/],
  ['that has expired', { claims: { exp: Math.floor(at.getTime() / 1000) - 60 } }, /expired/],
  ['whose end is no number', { claims: { exp: 'later' } }, /not a number/],
  ['without a list', { claims: { status_list: undefined } }, /no list/],
  ['with another number of bits', { claims: { status_list: { bits: 3, lst: '' } } }, /no list/],
])('a list %s is refused', async (_what, changes, message) => {
  const list = await listOf(changes)
  expect(() => readStatusListJwt(list, { uri, roots, at })).toThrow(message)
})

test.each(['<html>Not found</html>', 'a.b.c', ''])('%j is no list, which the reason names', (text) => {
  const read = () => readStatusListJwt(text, { uri, roots, at })
  expect(read).toThrow(/^the status list is not a JWT$/)
})

test('a list under another root is refused', async () => {
  const foreign = await certificateOf('status-list-signer', keys.publicKey, otherKeys)
  const x5c = [foreign.toString('base64')]
  const [list, own] = [await listOf({ header: { x5c } }), await listOf({})]
  expect(() => readStatusListJwt(list, { uri, roots, at })).toThrow(/issued/)
  expect(() => readStatusListJwt(own, { uri, roots: [], at })).toThrow(/root/)
})

test.each([1, 2, 4, 8] as const)('the status at an index is read with %d bits', (bits) => {
  const packed = packStatuses([{ position: 5, value: 1 }], 16, bits)
  expect(Array.from({ length: 16 }, (_, index) => statusAt(packed, bits, index))).toEqual(
    Array.from({ length: 16 }, (_, index) => (index === 5 ? 1 : 0)),
  )
  expect(statusAt(packed, bits, 16)).toBeUndefined()
})
