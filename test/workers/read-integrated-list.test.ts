import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type CborMap, type CborValue, dateTime, tagged } from '../../shared/formats/cbor.ts'
import { decodeCbor } from '../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { coseHeader, coseSigner, signSign1 } from '../../shared/formats/cose.ts'
import { createListThreads } from '../../workers/integrations/deps.ts'
import type { ListToVerify } from '../../workers/integrations/external-list.ts'
import { readIntegratedList } from '../../workers/integrations/read-integrated-list.ts'
import { derOf, KeyUsageFlags, newCertificate, pemOf, purposesExtension } from '../certificates/certificates.ts'
import { signerOf } from '../certificates/trusted-list-signer.ts'
import { entryOf, mdl, newForeignSigner, ricalOf } from '../servers/foreign-lists.ts'

const hourMs = 3_600_000
const [signer, authority, other] = await Promise.all([
  newForeignSigner(),
  newCertificate({ name: 'Authority', ca: true }),
  newCertificate({ name: 'Other', ca: true }),
])
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs)

function reading(bytes: Uint8Array, asked: Partial<ListToVerify> = {}) {
  const answer = readIntegratedList({ bytes, format: 'VICAL', anchors: [], at: new Date(), ...asked })
  return 'failed' in answer ? answer.failed.type : answer.list
}

test('the root of the first list is pinned, and later lists must be under that root', async () => {
  const first = reading(await signer.vical([authority]))
  expect(first).toMatchObject({ root: pemOf(signer.root).replace(/\n*$/, '\n') })
  const pinnedRoot = pemOf(signer.root)
  // The root need not be there any more.
  expect(reading(await signer.vical([], { chain: [signer.leaf] }), { pinnedRoot })).toMatchObject({ entries: [] })
  expect(reading(await signer.vical([authority], { chain: [signer.leaf] }))).toBe('RootMissing')
  const stranger = await newForeignSigner()
  expect(reading(await stranger.vical([]), { pinnedRoot })).toBe('RootChanged')
  expect(reading(await stranger.vical([]), { anchors: [pinnedRoot] })).toBe('ChainInvalid')
  expect(reading(await stranger.vical([]), { anchors: [pinnedRoot, pemOf(stranger.root)] })).toMatchObject({
    entries: [],
  })
  expect(reading(await signer.vical([], { chain: [signer.leaf] }), { anchors: [pinnedRoot] })).toMatchObject({
    entries: [],
  })
  // Certificates above the anchor are ignored.
  const middle = await newCertificate({ name: 'Middle', issuer: stranger.root, ca: true })
  const deep = await newForeignSigner({ issuer: middle })
  const chain = [deep.leaf, middle, stranger.root]
  for (const anchor of [middle, stranger.root])
    expect(reading(await deep.vical([], { chain }), { anchors: [pemOf(anchor)] })).toMatchObject({ entries: [] })
  expect(reading(await deep.vical([], { chain: [deep.leaf, middle] }))).toBe('RootMissing')
})

test('a RICAL is verified with a trust anchor, and a list of the other format is refused', async () => {
  // No extended key usage is defined for signers of RICALs.
  const { leaf, root } = await newForeignSigner({ extensions: [] })
  const readers = await ricalOf(leaf, [authority, other])
  const asked = { format: 'RICAL', anchors: [pemOf(root)] } as const
  expect(reading(readers, asked)).toMatchObject({
    entries: [{ docTypes: [] }, { docTypes: [] }],
    skipped: { count: 0 },
  })
  expect(reading(readers, { ...asked, anchors: [pemOf(other)] })).toBe('ChainInvalid')
  // Its chain does not hold the root: there is none to keep to.
  expect(reading(readers, { ...asked, anchors: [] })).toBe('RootMissing')
  expect(reading(await ricalOf(leaf, [], { chain: [leaf, root] }), asked)).toBe('ChainInvalid')
  const tampered = Buffer.from(readers)
  tampered.writeUInt8(tampered.readUInt8(tampered.length - 1) ^ 1, tampered.length - 1)
  expect(reading(tampered, asked)).toBe('SignatureInvalid')
  expect(reading(readers, { ...asked, format: 'VICAL' })).toBe('NotAList')
  expect(reading(await signer.vical([authority]), asked)).toBe('NotAList')
})

test('a root that is not self-signed is not a root', async () => {
  const forged = await newCertificate({ name: 'Ecosystem', ca: true, signer: other })
  const { vical } = await newForeignSigner({ issuer: forged })
  const leaf = await newForeignSigner({ issuer: forged })
  expect(reading(await vical([], { chain: [leaf.leaf, forged] }))).toBe('ChainInvalid')
})

test('a signer that is not, or no longer, certified for VICALs is refused', async () => {
  const signedBy = async (changes: Parameters<typeof newForeignSigner>[0]) => {
    const { vical, root } = await newForeignSigner(changes)
    return reading(await vical([authority]), { anchors: [pemOf(root)] })
  }
  expect(await signedBy({})).toMatchObject({ entries: [{}] })
  expect(await signedBy({ kind: 'P-384' })).toMatchObject({ entries: [{}] })
  expect(await signedBy({ kind: 'Ed25519' })).toBe('SignatureInvalid')
  expect(await signedBy({ usage: KeyUsageFlags.digitalSignature })).toBe('ChainInvalid')
  expect(await signedBy({ extensions: [] })).toBe('ChainInvalid')
  expect(await signedBy({ extensions: [purposesExtension(['1.0.18013.5.1.2'], true)] })).toBe('ChainInvalid')
  expect(await signedBy({ notAfter: inHours(-1) })).toBe('ChainInvalid')
  expect(await signedBy({ signer: other })).toBe('ChainInvalid')
})

test('a list is read only with a valid signature in the algorithm of the key', async () => {
  const whole = await signer.vical([authority])
  for (const at of [whole.length - 1, whole.length - 70]) {
    const changed = Buffer.from(whole)
    changed[at]! ^= 1
    expect(reading(changed)).toBe('SignatureInvalid')
  }
  const [protectedBytes, unprotected, payload, signature] = decodeCbor(whole) as CborValue[]
  const as = (...parts: CborValue[]) => encodeCbor(parts)
  expect(reading(as(protectedBytes, unprotected, payload, signature))).toMatchObject({ entries: [{}] })
  expect(reading(encodeCbor(tagged(18, [protectedBytes, unprotected, payload, signature])))).toMatchObject({
    entries: [{}],
  })
  for (const alg of [-35, -8, -257, 'ES256']) {
    const header = encodeCbor(new Map<CborValue, CborValue>([[coseHeader.alg, alg]]))
    expect(reading(as(header, unprotected, payload, signature)), String(alg)).toBe('SignatureInvalid')
  }
  expect(reading(as(Buffer.alloc(0), unprotected, payload, signature))).toBe('NotAList')
  expect(reading(as(protectedBytes, new Map(), payload, signature))).toBe('NotAList')
  expect(reading(as(protectedBytes, unprotected, null, signature))).toBe('NotAList')
})

test('a list with a future date, an expired list and a list older than the previous one are refused', async () => {
  expect(reading(await signer.vical([], { date: inHours(0.04) }))).toMatchObject({ entries: [] })
  expect(reading(await signer.vical([], { date: inHours(0.1) }))).toBe('DateInFuture')
  expect(reading(await signer.vical([], { nextUpdate: inHours(1) }))).toMatchObject({ until: expect.any(Date) })
  expect(reading(await signer.vical([], { nextUpdate: inHours(-1) }))).toBe('Expired')
  expect(reading(await signer.vical([], { more: [['notAfter', dateTime(inHours(-1))]] }))).toBe('Expired')
  const bytes = await signer.vical([], { date: inHours(-2), more: [['vicalIssueID', 1]] })
  expect(reading(bytes, { lastDate: inHours(-3) })).toMatchObject({ entries: [] })
  expect(reading(bytes, { lastDate: inHours(-1) })).toBe('Outdated')
})

test('one invalid entry does not fail a list, and a list of invalid entries is refused', async () => {
  const bad: CborValue[] = [
    'text',
    new Map([['docType', [mdl]]]),
    entryOf(Buffer.from('3003020101', 'hex')),
    entryOf(Buffer.alloc(20_000, 0x30)),
    entryOf(derOf(other), []),
    entryOf(derOf(other), ['a\0b']),
    entryOf(
      derOf(other),
      Array.from({ length: 101 }, (_, at) => `type ${at}`),
    ),
  ]
  const name: CborMap = new Map([
    ...(entryOf(derOf(other)) as CborMap),
    ['issuingAuthority', `A\0B${'\u{1f600}'.repeat(600)}`],
  ])
  const list = reading(
    await signer.vical([authority], { entries: [...bad, name, entryOf(derOf(authority), ['photo'])] }),
  )
  expect(list).toMatchObject({
    entries: [{ docTypes: [mdl, 'photo'] }, { docTypes: [mdl], name: expect.stringMatching(/^A B/) }],
    skipped: { count: bad.length },
  })
  expect(typeof list === 'object' && list.skipped.first.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(reading(await signer.vical([], { entries: bad }))).toBe('NoUsableEntries')
})

test('hostile lists are refused at a cost in proportion to their size', async () => {
  const nested = (depth: number) => Buffer.concat([Buffer.alloc(depth, 0x81), Buffer.of(0)])
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('<html>'),
    nested(1_000_000),
    Buffer.from('9bffffffffffffffff', 'hex'),
    Buffer.from('9f9f9f9f', 'hex'),
    (await signer.vical([authority])).subarray(0, -10),
    Buffer.concat([await signer.vical([authority]), Buffer.of(0)]),
  ])
    expect(reading(bytes), bytes.subarray(0, 8).toString('hex')).toBe('NotAList')
  expect(reading(await signed(nested(500_000)))).toBe('NotAList')
  expect(reading(await signed(encodeCbor(new Map([['version', '1.0']]))))).toBe('NotAList')
  const many = Array.from({ length: 20_001 }, () => null)
  expect(reading(await signer.vical([], { entries: many }))).toBe('TooLarge')
  // Definite and indefinite lengths give the same result.
  const text = await signer.vical([authority])
  expect(reading(Buffer.concat([Buffer.of(0x9f), text.subarray(1), Buffer.of(0xff)]))).toMatchObject({ entries: [{}] })
})

test('a list that needs too much memory is refused, and the process continues', async () => {
  const threads = createListThreads()
  const ofMany = (item: number, count: number) => {
    const bytes = Buffer.alloc(count + 5, item)
    bytes.writeUInt8(0x9a)
    bytes.writeUInt32BE(count, 1)
    return bytes
  }
  // A byte string in 15,000,000 chunks, none of which has a byte.
  const chunks = Buffer.concat([Buffer.of(0x5f), Buffer.alloc(15_000_000, 0x40), Buffer.of(0xff)])
  const small = await signer.vical([authority], { entries: Array.from({ length: 19_999 }, () => new Map()) })
  const answers = [ofMany(0x80, 15_000_000), chunks, await signed(ofMany(0xa0, 799_000)), small].map((bytes) =>
    threads.run(
      { bytes, format: 'VICAL', anchors: [], at: new Date() },
      { tenantId: 'T', deadlineAt: performance.now() + 60_000 },
    ),
  )
  const types = (await Promise.all(answers)).map((each) => each && ('failed' in each ? each.failed.type : 'good'))
  expect(types).toEqual(['NotAList', 'NotAList', 'NotAList', 'good'])
})

const samples = '../shared/samples/vical'
test('published lists are read completely (skipped without the samples)', { tags: 'samples' }, () => {
  const read = (name: string) => readFileSync(`${samples}/${name}`)
  const anchors = [read('austroads_root-certificate.pem').toString()]
  const bytes = read('walt-austroads.cbor')
  const at = new Date('2025-01-01T00:00:00Z')
  const list = reading(bytes, { anchors, at })
  expect(list).toMatchObject({ skipped: { count: 0 }, date: expect.any(Date) })
  expect(typeof list === 'object' && list.entries.length).toBeGreaterThan(10)
  expect(reading(bytes, { at })).toBe('RootMissing')
  const rdw = read('20250225-RDW-Test-Vical.vical')
  expect(reading(rdw, { at: new Date('2025-03-01T00:00:00Z') })).toBe('RootMissing')
  expect(reading(rdw, { anchors, at: new Date('2025-03-01T00:00:00Z') })).toBe('ChainInvalid')
})

function signed(payload: Buffer): Promise<Buffer> {
  const { chain, key } = signerOf(signer.leaf, signer.root)
  const unprotectedHeader: CborMap = new Map([[coseHeader.x5chain, chain.map(({ raw }) => raw)]])
  const { alg, sign } = coseSigner(key)
  return signSign1({
    protectedHeader: new Map([[coseHeader.alg, alg]]),
    unprotectedHeader,
    payload,
    sign,
    tagged: false,
  })
}
