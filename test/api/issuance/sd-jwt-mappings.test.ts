import { expect, test } from 'vitest'
import { ClaimTreeMappings } from '../../../api/issuance/configurations/sd-jwt-schemas.ts'
import { mapTreeClaims } from '../../../shared/domain/issuance/claims/tree-claims.ts'
import { checkClaims } from '../../../shared/formats/sd-jwt/check-claims.ts'
import { type ClaimTree, resolveTree } from '../../../shared/formats/sd-jwt/claim-tree.ts'
import { registeredClaims, reservedNames } from '../../../shared/formats/sd-jwt/names.ts'

const tree = {
  given_name: { mapFrom: 'claims.given_name', required: true, type: 'string' },
  'a.b': { mapFrom: "claims['a.b']", display: [{ name: 'A' }, { name: 'B', locale: 'de' }] },
  level: { defaultValue: '3', type: 'integer', disclose: 'never' },
  subject: { mapFrom: 'authenticationProvider.subjectId' },
  address: { members: { city: { mapFrom: 'claims.address.city' }, country: { mapFrom: 'claims.country' } } },
  degrees: {
    each: {
      members: {
        type: { mapFrom: 'claims.degrees[].type', required: true },
        year: { mapFrom: 'claims.degrees[].year', type: 'integer' },
        school: { mapFrom: 'claims.degrees[].school.name', defaultValue: 'unknown' },
        country: { mapFrom: 'claims.country' },
        grades: { each: { mapFrom: 'claims.degrees[].grades[]', type: 'number' }, discloseEach: 'never' },
      },
    },
    display: [{ name: 'Degrees' }],
  },
  matrix: { each: { each: { mapFrom: 'claims.matrix[][]' } } },
} as const satisfies ClaimTree

function mapped(claims: Record<string, unknown>[], mappings: ClaimTree = tree) {
  return mapTreeClaims(mappings, { claims, authenticationProvider: { subjectId: 's-1' } })
}

const faultsOf = (claims: Record<string, unknown>, mappings: ClaimTree) => {
  const checked = checkClaims(claims, resolveTree(mappings))
  return 'faults' in checked ? checked.faults : []
}

test('a tree with claims, objects and arrays is accepted as it is', () => {
  expect(ClaimTreeMappings.parse(tree)).toEqual(tree)
})

test('values come from the first source that has them, and elements from the list of their array', () => {
  const sources = [
    { address: { city: 'Bern' }, 'a.b': null, matrix: [[1, null, 2], []] },
    {
      ...{ given_name: 'Ada', 'a.b': 1, country: 'CH', address: { city: 'Zug' } },
      degrees: [
        { type: 'BSc', year: '2001', school: { name: 'ETH' }, grades: ['5.5', 6] },
        { type: 'MSc', grades: [] },
      ],
    },
  ]
  const claims = mapped(sources)
  expect(claims).toEqual({
    given_name: 'Ada',
    'a.b': 1,
    level: 3,
    subject: 's-1',
    address: { city: 'Bern', country: 'CH' },
    degrees: [
      { type: 'BSc', year: 2001, school: 'ETH', country: 'CH', grades: [5.5, 6] },
      { type: 'MSc', school: 'unknown', country: 'CH', grades: [] },
    ],
    matrix: [[1, 2], []],
  })
  expect(Object.keys(claims)).toEqual(Object.keys(tree))
  expect(faultsOf(claims, tree)).toEqual([])
})

test('claims, objects, elements and arrays without a value are left out', () => {
  const optional = {
    name: { mapFrom: 'claims.name' },
    address: { members: { city: { mapFrom: 'claims.city' } } },
    cities: { each: { mapFrom: 'claims.cities[]' } },
    rows: { each: { members: { x: { mapFrom: 'claims.rows[].x' } } } },
  }
  expect(mapped([{ rows: [{}, { x: 1 }, null, 7] }], optional)).toEqual({ rows: [{ x: 1 }] })
  expect(mapped([{ cities: [null] }], optional)).toEqual({ cities: [] })
})

test('what is missing or is no list is found by the check, with its path', () => {
  const cities = { cities: { each: { mapFrom: 'claims.cities[]', required: true } } }
  const row = { x: { mapFrom: 'claims.rows[][].x', required: true }, y: { mapFrom: 'claims.rows[][].y' } }
  const rows = { rows: { each: { each: { members: row } } } }
  const checks = (source: Record<string, unknown>, mappings: ClaimTree) =>
    faultsOf(mapped([source], mappings), mappings).map(({ check, path }) => [check, path.join('.')])
  expect(checks({}, cities)).toEqual([['required_claim', 'cities']])
  expect(checks({ cities: [] }, cities)).toEqual([['required_element', 'cities']])
  expect(checks({ cities: ['Bern', null] }, cities)).toEqual([['required_claim', 'cities.1']])
  expect(checks({ cities: 'Bern' }, cities)).toEqual([['claim_type', 'cities']])
  expect(checks({ rows: [[{ x: 1 }, {}], null] }, rows)).toEqual([
    ['required_claim', 'rows.0.1.x'],
    ['required_element', 'rows.1'],
  ])
})

const nestedIn = (levels: number) =>
  Array.from({ length: levels }).reduce<object>((inner) => ({ members: { a: inner } }), { defaultValue: 'x' })
const manyNodes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, { defaultValue: '' }]))

const arraysIn = (levels: number) =>
  Array.from({ length: levels }).reduce<object>((inner) => ({ each: inner }), {
    mapFrom: `claims.x${'[]'.repeat(levels)}`,
  })

test('ten levels and 500 nodes are allowed', () => {
  expect(ClaimTreeMappings.safeParse({ a: nestedIn(9) }).success).toBe(true)

  expect(ClaimTreeMappings.safeParse({ a: arraysIn(9) }).success).toBe(true)
  expect(ClaimTreeMappings.safeParse(manyNodes(500)).success).toBe(true)
})

const source = { mapFrom: 'claims.x' }
const perElement = { mapFrom: 'claims.x[]' }

test.each<[message: string, path: string, mappings: unknown]>([
  ['Add at least one claim', '', {}],
  ['Add at least one member', 'a.members', { a: { members: {} } }],
  ['Must be an object', 'a', { a: 'claims.x' }],
  ['Must be an object', 'a.members.b', { a: { members: { b: null } } }],
  ['Must be an object', 'a.each', { a: { each: 1 } }],
  ['Set mapFrom or defaultValue', 'a', { a: {} }],
  ['Set mapFrom or defaultValue', 'a.each', { a: { each: {} } }],
  ['Must be a path such as claims.given_name', 'a.mapFrom', { a: { mapFrom: 'given_name' } }],
  ['Must be one of always, never', 'a.disclose', { a: { ...source, disclose: 'sometimes' } }],
  ['Must be one of always, never', 'a.discloseEach', { a: { each: perElement, discloseEach: true } }],
  ['Must not repeat a locale', 'a.display', { a: { members: { b: source }, display: [{ name: 'A' }, { name: 'B' }] } }],
  ['Unknown member', 'a.dislcose', { a: { ...source, dislcose: 'never' } }],
  ['Unknown member', 'a.mapFrom', { a: { members: { b: source }, mapFrom: 'claims.x' } }],
  ['Unknown member', 'a.each', { a: { each: perElement, members: { b: source } } }],
  ['Set discloseEach of the array instead', 'a.each.disclose', { a: { each: { ...perElement, disclose: 'never' } } }],
  ['Add a path in which [] stands for the elements', 'a.each', { a: { each: source } }],
  ['Add a path in which [] stands for the elements', 'a.each.each', { a: { each: { each: perElement } } }],
  [
    'All paths in this array must go through the same list',
    'a.each',
    { a: { each: { members: { b: perElement, c: { mapFrom: 'claims.y[]' } } } } },
  ],
  ['Each [] of a path needs an array around the claim', 'a.mapFrom', { a: perElement }],
  ['Each [] of a path needs an array around', 'a.each.mapFrom', { a: { each: { mapFrom: 'claims.x[][]' } } }],
  ['A claim can be at most 10 levels deep', `a${'.members.a'.repeat(10)}`, { a: nestedIn(10) }],
  ['A claim can be at most 10 levels deep', `a${'.each'.repeat(10)}`, { a: arraysIn(10) }],
  ['A configuration can have at most 500 claims', '', manyNodes(501)],
  ['A configuration can have at most 500 claims', '', { ...manyNodes(500), n: { each: perElement } }],
  ['must have a name that is not empty', '', { '': source }],
  ['must have a name without control characters', 'a.members.b\n', { a: { members: { 'b\n': source } } }],
  ['must have a name of at most 200 characters', 'a'.repeat(201), { ['a'.repeat(201)]: source }],
])('%s: refused at %s', (message, path, mappings) => {
  const issues = ClaimTreeMappings.safeParse(mappings).error?.issues ?? []
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([path])
  expect(issues[0]?.message).toContain(message)
})

test.each(reservedNames)('the name %s is refused at each level', (name) => {
  const member = { [name]: source }
  for (const mappings of [member, { a: { members: member } }, { a: { each: { members: member } } }]) {
    expect(ClaimTreeMappings.safeParse(mappings).error?.issues[0]?.message).toContain('must have another name')
  }
})

test('the name __proto__ is refused in an object, and does not reach the tree', () => {
  const member = JSON.parse('{"__proto__":{"mapFrom":"claims.x"},"b":{"mapFrom":"claims.x"}}')
  const inner = ClaimTreeMappings.safeParse({ a: { members: member } })
  expect(inner.error?.issues[0]?.message).toContain('must have another name')
  expect(Object.keys(ClaimTreeMappings.parse(member))).toEqual(['b'])
})

test.each(registeredClaims)('the name %s is refused at the top, and is an ordinary name below', (name) => {
  expect(ClaimTreeMappings.safeParse({ [name]: source }).error?.issues[0]?.message).toContain('reserves this name')
  expect(ClaimTreeMappings.safeParse({ a: { members: { [name]: source } } }).success).toBe(true)
})
