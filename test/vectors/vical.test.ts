import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bigUintBytes, type CborMap } from '../../shared/formats/cbor.ts'
import { decodeCbor } from '../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { parseSign1 } from '../../shared/formats/cose.ts'
import { signTrustedList, trustedListPayload, vicalEntry } from '../../shared/formats/trusted-lists/build-list.ts'
import { encodeEntry } from '../../shared/formats/trusted-lists/entry.ts'
import { rawCertificate } from '../../shared/formats/trusted-lists/raw-certificate.ts'
import { verifyListChain } from '../../shared/formats/trusted-lists/read-list.ts'
import { newListSigner } from '../certificates/trusted-list-signer.ts'
import { parseTrustedList, readTrustedList } from '../harness/trusted-list.ts'
import { vicalEntries, vicalRoot, vicalSigner } from './austroads-vical.ts'

const folder = '../shared/samples/vical'

describe('entries of a published VICAL', () => {
  const trust = { kind: 'vical', at: new Date('2024-12-18T00:00:00Z') } as const

  test('the root has certified the signer for lists', () => {
    const [signer, root] = [new X509Certificate(vicalSigner), new X509Certificate(vicalRoot)]
    expect(verifyListChain([signer], { ...trust, roots: [root] })).toMatchObject({ isTrusted: true })
    expect(verifyListChain([signer], { ...trust, roots: [signer] })).toMatchObject({ isTrusted: false })
  })

  test.each(vicalEntries)('the members of $issuingAuthority are those of the list, in its order', (entry) => {
    const certificate = new X509Certificate(entry.certificate)
    const { subject, issuer } = rawCertificate(certificate.raw)
    const members = decodeCbor(vicalEntry(encodeEntry('vical', certificate), entry.docType)) as CborMap
    expect([...members]).toEqual([
      ['certificate', entry.certificate],
      ['serialNumber', { tag: 2, value: bigUintBytes(entry.serialNumber) }],
      ['ski', entry.ski],
      ['docType', entry.docType],
      ['issuingAuthority', entry.issuingAuthority],
      ['issuingCountry', entry.issuingCountry],
      ['stateOrProvinceName', entry.stateOrProvinceName],
      ['issuer', issuer],
      ['subject', subject],
      ['notBefore', { tag: 0, value: entry.notBefore }],
      ['notAfter', { tag: 0, value: entry.notAfter }],
    ])
  })
})

describe('published VICALs (needs ../shared/samples)', { tags: 'samples' }, () => {
  const austroads = () => readFileSync(`${folder}/walt-austroads.cbor`)
  const rdw = () => readFileSync(`${folder}/20250225-RDW-Test-Vical.vical`)
  const question = () => ({
    kind: 'vical' as const,
    roots: [new X509Certificate(readFileSync(`${folder}/austroads_root-certificate.pem`))],
    at: new Date('2024-12-18T00:00:00Z'),
  })

  test('the VICAL of Austroads verifies with its root and has the expected entries', () => {
    const list = readTrustedList(austroads(), question())
    expect(list).toMatchObject({
      provider: 'Austroads',
      number: 27,
      date: new Date('2024-12-17T22:40:31Z'),
      nextUpdate: undefined,
      unreadable: [],
    })
    expect(list.entries).toHaveLength(40)
    expect(
      list.entries.every(({ certificate, serialNumber, ski, notAfter }) => {
        const own = certificate && BigInt(`0x${certificate.serialNumber}`)
        return own === serialNumber && ski?.length === 20 && notAfter?.getTime() === certificate?.validToDate.getTime()
      }),
    ).toBe(true)
  })

  test('a VICAL does not verify with another root, at another time or with a changed byte', async () => {
    const { roots } = await newListSigner()
    expect(() => readTrustedList(austroads(), { ...question(), roots })).toThrow('does not lead to a trusted root')
    expect(() => readTrustedList(austroads(), { ...question(), at: new Date('2028-01-01') })).toThrow('not valid now')
    const changed = austroads()
    changed.writeUInt8(changed.readUInt8(30_000) ^ 1, 30_000)
    expect(() => readTrustedList(changed, question())).toThrow()
    const resigned = austroads()
    resigned.writeUInt8(resigned.readUInt8(resigned.length - 1) ^ 1, resigned.length - 1)
    expect(() => readTrustedList(resigned, question())).toThrow('signature is not valid')
  })

  test('a list built from the same certificates has the same entries byte for byte and reads back', async () => {
    const { entries } = parseTrustedList(austroads(), 'vical')
    const ours = entries.map(({ der, docTypes }) =>
      vicalEntry(encodeEntry('vical', new X509Certificate(der)), docTypes),
    )
    for (const [index, entry] of ours.entries()) {
      expect(entry.equals(encodeCbor(entries[index]!.fields)), `entry ${index}`).toBe(true)
    }
    const { payload } = parseSign1(austroads())
    const date = new Date('2024-12-17T22:40:31.999Z')
    const made = trustedListPayload({ kind: 'vical', provider: 'Austroads', number: 27, date, entries: ours })
    const nextUpdate = Buffer.concat([encodeCbor('nextUpdate'), encodeCbor({ tag: 0, value: '2025-03-17T22:40:31Z' })])
    const [before, behind] = [
      made.subarray(1, made.indexOf(nextUpdate)),
      made.subarray(made.indexOf(nextUpdate) + nextUpdate.length),
    ]
    expect(Buffer.concat([Buffer.of(0xa5), before, behind]).equals(payload)).toBe(true)

    const { signer, roots } = await newListSigner()
    const list = readTrustedList(await signTrustedList('vical', made, signer), { kind: 'vical', roots, at: new Date() })
    expect(list.entries.map(({ fingerprint }) => fingerprint)).toEqual(entries.map(({ fingerprint }) => fingerprint))
  })

  test('the reader reads all entries of a list with unusual encoding', () => {
    const { entries, unreadable } = parseTrustedList(rdw(), 'vical')
    expect([entries.length, unreadable.length]).toEqual([45, 0])
    expect(entries.filter(({ certificate }) => !certificate)).toHaveLength(0)
  })
})
