import { inflateSync } from 'node:zlib'
import { StatusList } from '@owf/token-status-list'
import { describe, expect, test } from 'vitest'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { parseSign1 } from '../../shared/formats/cose.ts'
import { buildStatusListCwt, compressStatuses, packStatuses } from '../../shared/formats/token-status-list.ts'
import { statusListExamples, statusListToken } from './status-lists.ts'

describe('Token Status List, draft 14', () => {
  test.each(statusListExamples)('the service builds the list of $source bit for bit', async (example) => {
    const { bits, size, entries, compressed } = example
    const statuses = Object.entries(entries).map(([position, value]) => ({ position: Number(position), value }))
    const packed = packStatuses(statuses, size, bits)
    expect(packed.equals(inflateSync(compressed))).toBe(true)
    const list = StatusList.decompressStatusListFromBytes(await compressStatuses(packed), bits)
    const expected = Array.from({ length: size }, (_, position) => entries[position] ?? 0)
    expect(list.statusList.join() === expected.join()).toBe(true)
  })

  test('the service encodes the claims of the CWT example to the same bytes in the same order', () => {
    const { payload } = parseSign1(statusListToken)
    const { claims } = buildStatusListCwt(
      {
        ...{ format: 'draft14', bits: 1 },
        uri: 'https://example.com/statuslists/1',
        issuedAt: new Date(1686920170_000),
        expiresAt: new Date(2291720170_000),
        ttlSeconds: 43200,
        compressed: statusListExamples[0]!.compressed,
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
