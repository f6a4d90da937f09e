import { webcrypto } from 'node:crypto'
import { decode, encode } from 'cbor2'
import { describe, expect, test } from 'vitest'
import { type CborMap, type CborValue, dateTime, tagged } from '../../../../shared/formats/cbor.ts'
import { encodeCbor } from '../../../../shared/formats/cbor-encode.ts'
import { coseHeader, coseSigner, signSign1 } from '../../../../shared/formats/cose.ts'
import {
  ricalEntry,
  signTrustedList,
  trustedListPayload,
  vicalEntry,
} from '../../../../shared/formats/trusted-lists/build-list.ts'
import { encodeEntry } from '../../../../shared/formats/trusted-lists/entry.ts'
import type { TrustedListKind } from '../../../../shared/formats/trusted-lists/kinds.ts'
import {
  type Certified,
  derOf,
  extension,
  KeyUsageFlags,
  newCertificate,
  opensslVerdict,
  pemOf,
  purposesExtension,
} from '../../../certificates/certificates.ts'
import { newListSigner, parsed, signerOf } from '../../../certificates/trusted-list-signer.ts'
import { parseTrustedList, readTrustedList } from '../../../harness/trusted-list.ts'

const date = new Date('2026-03-01T10:20:30.400Z')
const docTypes = ['org.iso.18013.5.1.mDL']

describe.each<[TrustedListKind, string, string]>([
  ['vical', 'vicalProvider', 'vicalIssueID'],
  ['rical', 'provider', 'id'],
])('a %s of this service', (kind, providerKey, numberKey) => {
  test('is read and verified by other libraries', async () => {
    const authority = await newCertificate({ name: 'Authority', ca: true })
    // A RICAL's signer has no extended key usage.
    const { root, leaf, signer, roots } = await newListSigner(kind === 'rical' ? { extensions: [] } : {})
    const bytes = await signTrustedList(kind, payloadOf(kind, [authority]), signer)
    expect(bytes[0]).toBe(0x84)

    const [protectedBytes, unprotectedHeader, payload, signature] =
      read<[Uint8Array, CborMap, Uint8Array, Uint8Array]>(bytes)
    const protectedHeader = read<CborMap>(protectedBytes)
    const [withChain, without] =
      kind === 'rical' ? [protectedHeader, unprotectedHeader] : [unprotectedHeader, protectedHeader]
    expect(protectedHeader.get(1)).toBe(-7)
    expect(Buffer.from(withChain.get(33) as Uint8Array).equals(derOf(leaf))).toBe(true)
    expect(without.has(33)).toBe(false)
    const signed = encode(['Signature1', new Uint8Array(protectedBytes), new Uint8Array(), new Uint8Array(payload)])
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    expect(await webcrypto.subtle.verify(algorithm, leaf.keys.publicKey, signature, signed)).toBe(true)
    expect(await opensslVerdict([leaf], [root])).toBe('ok')

    const map = read<Map<string, unknown>>(payload)
    expect(map.get(providerKey)).toBe('Provider')
    expect(map.get(numberKey)).toBe(7)
    // Whole seconds, and 90 days.
    const dates = [new Date('2026-03-01T10:20:30Z'), new Date('2026-05-30T10:20:30Z')]
    expect([map.get('date'), map.get('nextUpdate')]).toEqual(dates)
    const [entry] = map.get('certificateInfos') as Map<string, unknown>[]
    expect(Buffer.from(entry!.get('certificate') as Uint8Array).equals(derOf(authority))).toBe(true)
    expect(entry!.get('serialNumber')).toBe(BigInt(`0x${parsed(authority).serialNumber}`))
    expect(entry!.get('docType')).toEqual(kind === 'vical' ? docTypes : undefined)
    expect(readTrustedList(bytes, { kind, roots, at: new Date() })).toMatchObject({ number: 7, provider: 'Provider' })
  })

  test('is refused with its chain in the other header', async () => {
    const { signer, roots } = await newListSigner()
    const other = kind === 'vical' ? 'rical' : 'vical'
    const bytes = await signTrustedList(other, payloadOf(kind, []), signer)
    expect(() => readTrustedList(bytes, { kind, roots, at: new Date() })).toThrow('x5chain')
    const x5chain: CborMap = new Map([[coseHeader.x5chain, signer.chain[0]!.raw]])
    const [header, { sign }] = [new Map([[coseHeader.alg, -7], ...x5chain]), coseSigner(signer.key)]
    const content = { payload: payloadOf(kind, []), protectedHeader: header, unprotectedHeader: x5chain }
    const twice = await signSign1({ ...content, sign, tagged: false })
    expect(() => readTrustedList(twice, { kind, roots, at: new Date() })).toThrow('x5chain')
  })
})

test('a list is refused if the certificate of its signer has another purpose', async () => {
  const payload = payloadOf('vical', [])
  const signedBy = async (changes: Parameters<typeof newListSigner>[0]) => {
    const { signer, roots } = await newListSigner(changes)
    const list = await signTrustedList('vical', payload, signer)
    return () => readTrustedList(list, { kind: 'vical', roots, at: new Date() })
  }
  expect(await signedBy({})).not.toThrow()
  expect(await signedBy({ usage: KeyUsageFlags.digitalSignature })).toThrow('does not allow')
  expect(await signedBy({ extensions: [purposesExtension(['1.0.18013.5.1.2'], true)] })).toThrow('another purpose')
  expect(await signedBy({ extensions: [] })).toThrow('another purpose')
})

test('the chain of a VICAL can contain the root, and that of a RICAL cannot', async () => {
  const { root, leaf, roots } = await newListSigner()
  const reader = await newListSigner({ extensions: [] })
  const list = (kind: TrustedListKind) =>
    signTrustedList(
      kind,
      payloadOf(kind, []),
      kind === 'vical' ? signerOf(leaf, root) : signerOf(reader.leaf, reader.root),
    )
  const at = new Date()
  expect(readTrustedList(await list('vical'), { kind: 'vical', roots, at }).chain).toHaveLength(2)
  const rical = await list('rical')
  expect(() => readTrustedList(rical, { kind: 'rical', roots: reader.roots, at })).toThrow('contains the root')
})

test('the issuing authority is the name in RFC 4514 with escaped special characters, as other libraries print it', async () => {
  const names = ['O=A\\, B\\+C\\"D\\\\E\\<F\\>G\\;H, CN=x', 'CN=\\ y\\ , C=ZZ', 'CN=\\#z, ST=Ö', 'CN=a+OU=b']
  for (const [index, name] of names.entries()) {
    const authority = await newCertificate({ name: `x, ${name}`, ca: true })
    const [entry] = parseTrustedList(await signed(payloadOf('vical', [authority])), 'vical').entries
    expect(entry?.issuingAuthority, `name ${index}`).toBe(authority.certificate.subject)
  }
})

describe('published lists can have', () => {
  test('members with capitals, doubly wrapped identifiers, different dates, negative and plain serial numbers', async () => {
    const authority = await newCertificate({ name: 'Authority', ca: true })
    const ski = Buffer.alloc(20, 7)
    const notAfter = new Date('2031-01-01T00:00:00Z')
    const [entry, plain] = await entriesOf([
      [
        ['certificate', derOf(authority)],
        ['serialNumber', tagged(3, Buffer.from('71', 'hex'))],
        ['ski', Buffer.concat([Buffer.from('04160414', 'hex'), ski])],
        ['DocType', docTypes],
        ['notAfter', dateTime(notAfter)],
        ['Extensions', new Map()],
      ],
      [
        ['certificate', derOf(authority)],
        ['serialNumber', 129],
        ['ski', 'no bytes'],
        ['docType', [1, 'a']],
        ['notAfter', '2031'],
      ],
    ])
    expect(entry).toMatchObject({ serialNumber: 0x8en, ski, docTypes, notAfter })
    expect(plain).toMatchObject({ serialNumber: 129n, ski: undefined, docTypes: ['a'], notAfter: undefined })
  })

  test('an unreadable entry is reported, and the other entries are returned', async () => {
    const authority = await newCertificate({ name: 'Authority', ca: true })
    const broken = Buffer.from('3003020101', 'hex')
    const bytes = await listOf([
      new Map([['ski', Buffer.alloc(20)]]),
      'text',
      new Map<string, CborValue>([
        ['certificate', broken],
        ['serialNumber', 1.5],
      ]),
      new Map([['certificate', Buffer.from(pemOf(authority))]]),
      new Map([['certificate', derOf(authority)]]),
    ])
    const { entries, unreadable } = parseTrustedList(bytes, 'vical')
    expect(unreadable.map(({ index }) => index)).toEqual([0, 1])
    expect(entries.map(({ der, certificate }) => [der, certificate !== undefined])).toEqual([
      [broken, false],
      [Buffer.from(pemOf(authority)), false],
      [derOf(authority), true],
    ])
  })

  test('a list without a required member, or an expired one, is refused', async () => {
    const { signer, roots } = await newListSigner()
    const whole: [string, CborValue][] = [
      ['version', '1.0'],
      ['vicalProvider', 'P'],
      ['date', dateTime(date)],
      ['certificateInfos', []],
    ]
    const reading = async (members: [string, CborValue][]) => {
      const list = await signTrustedList('vical', encodeCbor(new Map(members)), signer)
      return () => readTrustedList(list, { kind: 'vical', roots, at: new Date() })
    }
    expect(await reading(whole)).not.toThrow()
    expect(await reading([...whole, ['notAfter', dateTime(date)]])).toThrow(
      date < new Date() ? 'the list has expired' : 'never',
    )
    for (const [key] of whole) {
      expect(await reading(whole.filter(([name]) => name !== key)), key).toThrow(/^it (has no|is not of version)/)
    }
  })
})

test('an unknown critical extension in the certificate of a signer is refused', async () => {
  const own = [purposesExtension(['1.0.18013.5.1.8'], true), extension('1.3.6.1.4.1.55555.1', true, [5, 0])]
  const { signer, roots } = await newListSigner({ extensions: own })
  const bytes = await signTrustedList('vical', payloadOf('vical', []), signer)
  expect(() => readTrustedList(bytes, { kind: 'vical', roots, at: new Date() })).toThrow('critical extension')
})

function payloadOf(kind: TrustedListKind, authorities: Certified[]): Buffer {
  const entries = authorities.map((each) => {
    const stored = encodeEntry(kind, parsed(each))
    return kind === 'vical' ? vicalEntry(stored, docTypes) : ricalEntry(stored, 'Reader')
  })
  return trustedListPayload({ kind, provider: 'Provider', number: 7, date, entries })
}

async function entriesOf(maps: [string, CborValue][][]) {
  return parseTrustedList(await listOf(maps.map((each) => new Map(each))), 'vical').entries
}

function listOf(certificateInfos: CborValue[]): Promise<Buffer> {
  const members: [string, CborValue][] = [
    ['version', '1.0'],
    ['vicalProvider', 'P'],
    ['date', dateTime(date)],
    ['certificateInfos', certificateInfos],
  ]
  return signed(encodeCbor(new Map(members)))
}

async function signed(payload: Buffer): Promise<Buffer> {
  const { signer } = await newListSigner()
  return signTrustedList('vical', payload, signer)
}

/** By an outside library. */
function read<Read>(bytes: Uint8Array): Read {
  return decode(bytes, { preferMap: true, tags: new Map() }) as Read
}
