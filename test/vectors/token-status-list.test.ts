import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { StatusList } from '@owf/token-status-list'
import { describe, expect, test } from 'vitest'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { parseSign1 } from '../../shared/formats/cose.ts'
import {
  buildStatusListCwt,
  compressStatuses,
  packStatuses,
  type StatusBits,
} from '../../shared/formats/token-status-list.ts'

const folder = '../shared/samples/token-status-list/draft14'

const million = 2 ** 20
/** The entries of the draft's appendix. All others are 0. */
const one = { 0: 1, 1993: 1, 25460: 1, 159495: 1, 495669: 1, 554353: 1, 645645: 1, 723232: 1, 854545: 1, 934534: 1 }
const two = { 0: 1, 1993: 2, 25460: 1, 159495: 3, 495669: 1, 554353: 1, 645645: 2, 723232: 1, 854545: 1, 934534: 2 }
const lists: [file: string, size: number, entries: Record<number, number> | undefined][] = [
  ['encoding', 16, { 0: 1, 3: 1, 4: 1, 5: 1, 7: 1, 8: 1, 9: 1, 13: 1, 15: 1 }],
  ['encoding2', 12, { 0: 1, 1: 2, 3: 3, 5: 1, 7: 1, 8: 1, 9: 2, 10: 3, 11: 3 }],
  ['encoding1_long', million, { ...one, 1000345: 1 }],
  ['encoding2_long', million, { ...two, 1000345: 3 }],
  // The library reads the entries of long lists.
  ['encoding4', million, undefined],
  ['encoding8', million, undefined],
]

function readList(file: string): { bits: StatusBits; lst: Buffer } {
  const text = readFileSync(`${folder}/status_list_${file}_json.md`, 'utf8')
  const { bits, lst } = JSON.parse(text.slice(text.indexOf('{')).replaceAll(/\n\s*/g, ''))
  return { bits, lst: Buffer.from(lst, 'base64url') }
}

describe('draft 14 of Token Status List (needs ../shared/samples)', { tags: 'samples' }, () => {
  test.each(lists)('the service builds the list %s of the draft bit for bit', async (file, size, known) => {
    const { bits, lst } = readList(file)
    const read = StatusList.decompressStatusListFromBytes(lst, bits)
    const entries = known
      ? Object.entries(known).map(([position, value]) => ({ position: Number(position), value }))
      : read.statusList.flatMap((value, position) => (value === 0 ? [] : [{ position, value }]))
    const packed = packStatuses(entries, size, bits)
    expect(packed.equals(inflateSync(lst))).toBe(true)
    const again = StatusList.decompressStatusListFromBytes(await compressStatuses(packed), bits)
    expect(again.statusList.join() === read.statusList.join()).toBe(true)
  })

  test('the service encodes the claims of the CWT example to the same bytes in the same order', () => {
    const example = Buffer.from(readFileSync(`${folder}/status_list_cwt.md`, 'utf8').replaceAll(/\s/g, ''), 'hex')
    const { payload } = parseSign1(example)
    const { claims } = buildStatusListCwt(
      {
        ...{ format: 'draft14', bits: 1 },
        uri: 'https://example.com/statuslists/1',
        issuedAt: new Date(1686920170_000),
        expiresAt: new Date(2291720170_000),
        ttlSeconds: 43200,
        compressed: readList('encoding').lst,
        certificate: Buffer.alloc(1),
      },
      -7,
    )
    expect(encodeCbor(claims).toString('hex')).toBe(payload.toString('hex'))
  })
})

test('the service refuses an entry outside the list and a value that needs more bits', () => {
  expect(() => packStatuses([{ position: 8, value: 1 }], 8, 1)).toThrow('has no entry 8')
  expect(() => packStatuses([{ position: 0, value: 2 }], 8, 1)).toThrow('2 is not a status of 1 bits')
})

test('the bits after the last entry are 0', () => {
  expect([...packStatuses([{ position: 8, value: 1 }], 9, 1)]).toEqual([0, 1])
})
