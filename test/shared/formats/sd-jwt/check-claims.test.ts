import { expect, test } from 'vitest'
import { type ClaimCheck, checkClaims } from '../../../../shared/formats/sd-jwt/check-claims.ts'
import { type ClaimTree, resolveTree } from '../../../../shared/formats/sd-jwt/claim-tree.ts'
import { convertText } from '../../../../shared/formats/sd-jwt/claim-types.ts'
import { maxClaimBytes, maxDisclosures } from '../../../../shared/formats/sd-jwt/limits.ts'

function faultsOf(claims: Record<string, unknown>, tree: ClaimTree, disclose: 'always' | 'never' = 'always') {
  const checked = checkClaims(claims, resolveTree(tree, disclose))
  return 'faults' in checked ? checked.faults : []
}

const degrees = { each: { members: { type: { required: true, type: 'string' }, year: { type: 'integer' } } } } as const
const tree = {
  given_name: { type: 'string' },
  'a.b': { members: { 'c d': { type: 'boolean' } } },
  degrees,
  matrix: { each: { each: { type: 'number' } } },
  any: {},
} as const satisfies ClaimTree
const valid = { degrees: [{ type: 'BSc' }] }

test('claims that fit the tree have no faults', () => {
  const claims = {
    given_name: 'Ada',
    'a.b': { 'c d': true },
    degrees: [{ type: 'BSc', year: 2001 }, { type: 'MSc' }],
    matrix: [[], [1, -2.5]],
    any: { deep: [null, { list: [true, 2 ** 53 - 1, 1e-9] }] },
  }
  expect(checkClaims(claims, resolveTree(tree))).toEqual({ claims, tree: resolveTree(tree), disclosureCount: 15 })
  expect(faultsOf(valid, tree)).toEqual([])
})

const nested = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1)

test.each<[ClaimCheck, string, Record<string, unknown>]>([
  ['claim_type', 'given_name', { given_name: 1 }],
  ['claim_type', "['a.b']['c d']", { 'a.b': { 'c d': 'true' } }],
  ['claim_type', "['a.b']", { 'a.b': [] }],
  ['claim_type', "['a.b']", { 'a.b': null }],
  ['claim_type', 'degrees', { degrees: { 0: { type: 'BSc' } } }],
  ['claim_type', 'degrees[1]', { degrees: [{ type: 'BSc' }, 'MSc'] }],
  ['claim_type', 'degrees[0].year', { degrees: [{ type: 'BSc', year: 2001.5 }] }],
  ['claim_type', 'matrix[1][0]', { matrix: [[], ['1']] }],
  ['claim_type', 'any.inner', { any: { inner: undefined } }],
  ['required_claim', 'degrees', { degrees: undefined }],
  ['required_claim', 'degrees', { degrees: null }],
  ['required_claim', 'degrees[1].type', { degrees: [{ type: 'BSc' }, {}] }],
  ['required_claim', 'degrees[0].type', { degrees: [{ type: null }] }],
  ['required_element', 'degrees', { degrees: [] }],
  ['unknown_claim', 'extra', { extra: 1 }],
  ['unknown_claim', 'degrees[0].extra', { degrees: [{ type: 'BSc', extra: 1 }] }],
  ['claim_name', '_sd', { _sd: [] }],
  ['claim_name', "degrees[0]['...']", { degrees: [{ type: 'BSc', '...': 'x' }] }],
  ['claim_name', 'any[0].inner._sd_alg', { any: [{ inner: { _sd_alg: 'sha-256' } }] }],
  ['claim_name', "any['']", { any: { '': 1 } }],
  ['claim_name', 'any.a\u{FFFD}', { any: { 'a\u0000': 1 } }],
  ['claim_name', 'any.\u{FFFD}', { any: { '\ud800': 1 } }],
  ['claim_name', 'any.__proto__', { any: JSON.parse('{"__proto__":1}') }],
  ['claim_name', `any.${'a'.repeat(196)}...`, { any: { ['a'.repeat(201)]: 1 } }],
  ['claim_text', 'any[1]', { any: ['\ud83d\ude00', '\ud83d'] }],
  ['claim_text', 'given_name', { given_name: '\ude00' }],
  ['claim_number', 'any', { any: 2 ** 53 }],
  ['claim_number', 'any[0]', { any: [-(2 ** 53)] }],
  ['claim_number', 'any', { any: Number.POSITIVE_INFINITY }],
  ['claim_number', 'degrees[0].year', { degrees: [{ type: 'BSc', year: 1e20 }] }],
  ['claim_depth', `any${'[0]'.repeat(10)}`, { any: nested(10) }],
])('%s: the fault of %s is found', (check, path, changes) => {
  const claims = Object.fromEntries(Object.entries({ ...valid, ...changes }).filter(([, value]) => value !== undefined))
  const faults = faultsOf(claims, tree)
  expect(faults).toMatchObject([{ check }])
  expect(faults[0]?.message).toMatch(`The claim ${path} must `)
})

test('a name of 200 characters and ten levels are allowed', () => {
  expect(faultsOf({ any: { ['a'.repeat(200)]: 1 } }, { any: {} })).toEqual([])
  expect(faultsOf({ any: nested(9) }, { any: {} })).toEqual([])
})

test('a fault has the path of its claim', () => {
  expect(faultsOf({ degrees: [{ type: 'BSc' }, { type: 1 }] }, tree)).toEqual([
    { check: 'claim_type', path: ['degrees', 1, 'type'], message: 'The claim degrees[1].type must be a text.' },
  ])
})

test('a required claim makes the objects and arrays around it required', () => {
  const inner = { address: { members: { geo: { members: { lat: { required: true } } } } } } as const
  expect(faultsOf({}, inner)).toMatchObject([{ check: 'required_claim', path: ['address'] }])
  expect(faultsOf({ address: {} }, inner)).toMatchObject([{ check: 'required_claim', path: ['address', 'geo'] }])
  const lists = { rows: { each: { each: { required: true } } } } as const
  expect(faultsOf({ rows: [] }, lists)).toMatchObject([{ check: 'required_element', path: ['rows'] }])
  expect(faultsOf({ rows: [[]] }, lists)).toMatchObject([{ check: 'required_element', path: ['rows', 0] }])
  expect(faultsOf({ rows: [[null]] }, lists)).toMatchObject([{ check: 'required_claim', path: ['rows', 0, 0] }])
  expect(faultsOf({ rows: [[0]] }, lists)).toEqual([])
})

test('claims of more than 1 MB are refused', () => {
  const textOf = (bytes: number) => ({ any: 'ü'.repeat((bytes - '{"any":""}'.length) / 2) })
  expect(faultsOf(textOf(maxClaimBytes), { any: {} })).toEqual([])
  expect(faultsOf(textOf(maxClaimBytes + 2), { any: {} })).toMatchObject([{ check: 'claims_size', path: [] }])
})

test('claims that need too many disclosures are refused', () => {
  const list = { list: { each: {} } }
  const elements = (count: number) => ({ list: Array.from({ length: count }, () => 1) })
  expect(faultsOf(elements(maxDisclosures - 1), list)).toEqual([])
  expect(faultsOf(elements(maxDisclosures), list)).toMatchObject([{ check: 'disclosure_count', path: [] }])
  expect(faultsOf(elements(maxDisclosures), list, 'never')).toEqual([])
})

test('at most 20 faults are returned, and no message has a value', () => {
  const faults = faultsOf({ matrix: [Array.from({ length: 1000 }, () => 'secret')], ...valid }, tree)
  expect(faults).toHaveLength(20)
  expect(JSON.stringify(faults)).not.toContain('secret')
})

test.each([
  ['date', '2001-12-31', '2001-02-30'],
  ['date-time', '2001-12-31T23:59:59Z', '2001-12-31'],
  ['object', {}, []],
  ['array', [], {}],
  ['object', { a: 1 }, null],
  ['number', 1.5, '1.5'],
  ['integer', -7, 0.5],
  ['boolean', false, 0],
  ['string', '', null],
] as const)('a claim of the type %s can be %j and cannot be %j', (type, right, wrong) => {
  expect(faultsOf({ value: right }, { value: { type } })).toEqual([])
  expect(faultsOf({ value: wrong }, { value: { type } })).toMatchObject([{ check: 'claim_type', path: ['value'] }])
})

test.each([
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', 'yes', 'yes'],
  ['integer', '-42', -42],
  ['integer', '4e2', '4e2'],
  ['number', '1.25', 1.25],
  ['number', '', ''],
  ['number', '99999999999999999', '99999999999999999'],
  ['string', '42', '42'],
  ['integer', true, true],
  [undefined, 'true', 'true'],
] as const)('for the type %s, %j is converted to %j', (type, text, value) => {
  expect(convertText(text, type)).toBe(value)
})
