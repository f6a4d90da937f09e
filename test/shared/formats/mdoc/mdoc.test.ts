import { createHash, KeyObject } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { encodeElements } from '../../../../shared/formats/mdoc/elements.ts'
import { type MdocSigner, signMdoc } from '../../../../workers/signing/formats/sign-mdoc.ts'
import { derOf, newCertificate, pemOf } from '../../../certificates/certificates.ts'
import { testSigner } from '../../../harness/test-signer.ts'
import { elementsOf, readMdoc, verifyMdoc } from '../../../verifiers/mdoc-verifiers.ts'
import { type HolderKeyPair, newHolderKey } from '../../../wallets/wallet.ts'

const docType = 'org.iso.18013.5.1.mDL'
const namespace = 'org.iso.18013.5.1'
const portrait = Buffer.alloc(200_000, 7)
const claims = {
  [namespace]: {
    family_name: 'Lovelace',
    birth_date: '1990-12-10',
    height: 170,
    age_over_18: true,
    portrait: portrait.toString('base64'),
    driving_privileges: [{ vehicle_category_code: 'B', issue_date: '2018-08-09' }],
  },
  'org.example.own': { level: 'B1' },
}
const secondMs = 1000
const at = new Date(Math.floor(Date.now() / secondMs) * secondMs - 3_600_000)
const until = new Date(at.getTime() + 10 * 3_600_000)

let signer: MdocSigner
let pair: { privateKey: KeyObject }
let root: string
let key: HolderKeyPair
beforeAll(async () => {
  const issuer = await newCertificate({ name: 'IACA,C=NZ', ca: true, pathLength: 0 })
  const leaf = await newCertificate({ name: 'Document signer,C=NZ', issuer })
  pair = { privateKey: KeyObject.from(leaf.keys.privateKey as never) }
  signer = { certificateDer: derOf(leaf), key: testSigner(pair) }
  root = pemOf(issuer)
  key = await newHolderKey()
})

const input = () => ({
  docType,
  elements: encodeElements(docType, claims, {}),
  deviceKey: key.publicJwk as never,
  signedAt: at,
  validFrom: at,
  validUntil: until,
})

test('two libraries verify a document and a presentation of a part of it', async () => {
  const { credential } = await signMdoc(input(), signer)
  const disclosed = { [namespace]: ['family_name', 'portrait', 'driving_privileges'], 'org.example.own': ['level'] }
  await verifyMdoc({ credential, docType, root, key }, disclosed)
})

test('both refuse a changed value, another root and another device key', async () => {
  const { credential } = await signMdoc(input(), signer)
  const bytes = Buffer.from(credential, 'base64url')
  bytes[bytes.indexOf('Lovelace')] = 'X'.charCodeAt(0)
  const changed = bytes.toString('base64url')
  const disclosed = { [namespace]: ['family_name'] }
  await expect(verifyMdoc({ credential: changed, docType, root, key }, disclosed)).rejects.toThrow('family_name')
  const other = pemOf(await newCertificate({ name: 'IACA,C=NZ', ca: true }))
  await expect(verifyMdoc({ credential, docType, root: other, key }, disclosed)).rejects.toThrow('untrusted signer')
  const thief = await newHolderKey()
  await expect(verifyMdoc({ credential, docType, root, key: thief }, disclosed)).rejects.toThrow('Device signature')
})

test('the structure is that of the standard', async () => {
  const { credential, namespaces, msoHash } = await signMdoc(
    { ...input(), status: { idx: 7, uri: 'https://x.example' } },
    signer,
  )
  const { protectedHeader, unprotected, payloadTag, msoBytes, mso } = readMdoc(credential)
  expect([...protectedHeader]).toEqual([[1, -7]])
  expect([...unprotected.keys()]).toEqual([33])
  expect(Buffer.from(unprotected.get(33)!)).toEqual(signer.certificateDer)
  expect(payloadTag).toBe(24)
  expect(createHash('sha256').update(msoBytes).digest('base64url')).toBe(msoHash)
  expect(Object.fromEntries(mso as Map<string, unknown>)).toMatchObject({
    version: '1.0',
    digestAlgorithm: 'SHA-256',
    docType,
  })
  expect(mso.get('status')).toEqual(
    new Map([
      [
        'status_list',
        new Map<string, unknown>([
          ['idx', 7],
          ['uri', 'https://x.example'],
        ]),
      ],
    ]),
  )
  const spaces = mso.get('valueDigests') as unknown as Map<string, Map<number, Uint8Array>>
  for (const [space, elements] of Object.entries(namespaces)) {
    const digests = [...spaces.get(space)!].map(([digestID, digest]) => ({
      digestID,
      digest: Buffer.from(digest).toString('base64url'),
    }))
    expect(digests).toEqual(Object.values(elements).sort((a, b) => a.digestID - b.digestID))
  }
})

test('a second document of the same claims has other salts and digests, and another order of digest ids', async () => {
  const copies = await Promise.all(Array.from({ length: 5 }, () => signMdoc(input(), signer)))
  const digests = copies.flatMap(({ namespaces }) => Object.values(namespaces).flatMap((each) => Object.values(each)))
  expect(new Set(digests.map(({ digest }) => digest)).size).toBe(digests.length)
  const orders = copies.map(({ namespaces }) =>
    Object.values(namespaces[namespace]!)
      .map(({ digestID }) => digestID)
      .join(),
  )
  expect(new Set(orders).size).toBeGreaterThan(1)
  for (const order of orders) expect(order.split(',').sort()).toEqual(['0', '1', '2', '3', '4', '5'])
})

test('a portrait of 200 KB needs less than 1.5 times its bytes', async () => {
  const { credential } = await signMdoc(input(), signer)
  expect(credential.length).toBeLessThan(1.5 * portrait.length)
  expect(portrait.equals(elementsOf(credential)[namespace]!.portrait as Uint8Array)).toBe(true)
})

test('a certificate of another key is refused', async () => {
  const other = await newCertificate({ name: 'other' })
  const publicKey = KeyObject.from(other.keys.publicKey as never)
  await expect(signMdoc(input(), { ...signer, key: testSigner({ ...pair, publicKey }) })).rejects.toThrow(
    expect.objectContaining({ code: 'signature_mismatch' }),
  )
})
