import type { CborValue } from '../../shared/formats/cbor.ts'
import { hexBytes } from './wrapped.ts'

/** Hexadecimal bytes, and the value in the types of the decoder. */
export type CborExample = readonly [hex: string, value: CborValue]

/** RFC 8949, appendix A: examples in preferred serialization. Integers are written as integers, not as floats. */
export const preferredExamples: readonly CborExample[] = [
  ['00', 0],
  ['01', 1],
  ['0a', 10],
  ['17', 23],
  ['1818', 24],
  ['1819', 25],
  ['1864', 100],
  ['1903e8', 1000],
  ['1a000f4240', 1000000],
  ['1b000000e8d4a51000', 1000000000000],
  ['1bffffffffffffffff', 18446744073709551615n],
  ['c249010000000000000000', { tag: 2, value: hexBytes('010000000000000000') }],
  ['3bffffffffffffffff', -18446744073709551616n],
  ['c349010000000000000000', { tag: 3, value: hexBytes('010000000000000000') }],
  ['20', -1],
  ['29', -10],
  ['3863', -100],
  ['3903e7', -1000],
  ['f98000', -0],
  ['fb3ff199999999999a', 1.1],
  ['f93e00', 1.5],
  ['fa7f7fffff', 3.4028234663852886e38],
  ['fb7e37e43c8800759c', 1e300],
  ['f90001', 2 ** -24],
  ['f90400', 6.103515625e-5],
  ['fbc010666666666666', -4.1],
  ['f97c00', Number.POSITIVE_INFINITY],
  ['f97e00', Number.NaN],
  ['f9fc00', Number.NEGATIVE_INFINITY],
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['f7', undefined],
  ['c074323031332d30332d32315432303a30343a30305a', { tag: 0, value: '2013-03-21T20:04:00Z' }],
  ['c11a514b67b0', { tag: 1, value: 1363896240 }],
  ['c1fb41d452d9ec200000', { tag: 1, value: 1363896240.5 }],
  ['d74401020304', { tag: 23, value: hexBytes('01020304') }],
  ['d818456449455446', { tag: 24, value: hexBytes('6449455446') }],
  ['d82076687474703a2f2f7777772e6578616d706c652e636f6d', { tag: 32, value: 'http://www.example.com' }],
  ['40', hexBytes('')],
  ['4401020304', hexBytes('01020304')],
  ['60', ''],
  ['6161', 'a'],
  ['6449455446', 'IETF'],
  ['62225c', '"\\'],
  ['62c3bc', '\u00fc'],
  ['63e6b0b4', '\u6c34'],
  ['64f0908591', '\ud800\udd51'],
  ['80', []],
  ['83010203', [1, 2, 3]],
  ['8301820203820405', [1, [2, 3], [4, 5]]],
  [
    '98190102030405060708090a0b0c0d0e0f101112131415161718181819',
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
  ],
  ['a0', new Map()],
  [
    'a201020304',
    new Map([
      [1, 2],
      [3, 4],
    ]),
  ],
  [
    'a26161016162820203',
    new Map<CborValue, CborValue>([
      ['a', 1],
      ['b', [2, 3]],
    ]),
  ],
  ['826161a161626163', ['a', new Map([['b', 'c']])]],
  [
    'a56161614161626142616361436164614461656145',
    new Map<CborValue, CborValue>([
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
      ['d', 'D'],
      ['e', 'E'],
    ]),
  ],
]

/** RFC 8949, appendix A: other encodings of a value, with longer or integral floats and items of indefinite length. */
export const otherExamples: readonly CborExample[] = [
  ['f90000', 0],
  ['f93c00', 1],
  ['f97bff', 65504],
  ['fa47c35000', 100000],
  ['f9c400', -4],
  ['fa7f800000', Number.POSITIVE_INFINITY],
  ['fa7fc00000', Number.NaN],
  ['faff800000', Number.NEGATIVE_INFINITY],
  ['fb7ff0000000000000', Number.POSITIVE_INFINITY],
  ['fb7ff8000000000000', Number.NaN],
  ['fbfff0000000000000', Number.NEGATIVE_INFINITY],
  ['5f42010243030405ff', hexBytes('0102030405')],
  ['7f657374726561646d696e67ff', 'streaming'],
  ['9fff', []],
  ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
  ['9f01820203820405ff', [1, [2, 3], [4, 5]]],
  ['83018202039f0405ff', [1, [2, 3], [4, 5]]],
  ['83019f0203ff820405', [1, [2, 3], [4, 5]]],
  [
    '9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff',
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
  ],
  [
    'bf61610161629f0203ffff',
    new Map<CborValue, CborValue>([
      ['a', 1],
      ['b', [2, 3]],
    ]),
  ],
  ['826161bf61626163ff', ['a', new Map([['b', 'c']])]],
  [
    'bf6346756ef563416d7421ff',
    new Map<CborValue, CborValue>([
      ['Fun', true],
      ['Amt', -2],
    ]),
  ],
]

/** RFC 8949, appendix A: simple values without a meaning. */
export const unassignedExamples = ['f0', 'f818', 'f8ff']
