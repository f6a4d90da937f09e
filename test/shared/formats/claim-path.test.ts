import { expect, test } from 'vitest'
import { parseClaimPath, parseListPath, readPath, writePath } from '../../../shared/formats/claim-path.ts'

test.each([
  ['claims.given_name', 'claims', ['given_name']],
  ['claims.address.locality', 'claims', ['address', 'locality']],
  ["claims['https://x/y']", 'claims', ['https://x/y']],
  ['claims["a.b"].c', 'claims', ['a.b', 'c']],
  ["claims['it\\'s']", 'claims', ["it's"]],
  ['claims.größe', 'claims', ['größe']],
  ['authenticationProvider.subjectId', 'authenticationProvider', ['subjectId']],
  ["authenticationProvider['url']", 'authenticationProvider', ['url']],
])('%s is a path', (text, source, path) => {
  expect(parseClaimPath(text)).toEqual({ source, path })
})

test.each([
  '',
  'claims',
  'claims.',
  'claims..a',
  'claims.a.',
  'claims.a b',
  'claims[0]',
  "claims['']",
  "claims['a'",
  "claims['a']b",
  'claimsX.a',
  ' claims.a',
  'authenticationProvider.clientSecret',
  'authenticationProvider.url.host',
  'constructor.name',
  `claims.${'a'.repeat(500)}`,
  `claims${'.a'.repeat(17)}`,
])('%j is not a path', (text) => {
  expect(parseClaimPath(text)).toBeUndefined()
})

test('a path reads own members of a value and no inherited ones', () => {
  expect(readPath({ address: { locality: 'Bern' } }, ['address', 'locality'])).toBe('Bern')
  expect(readPath({ a: null }, ['a'])).toBeNull()
  for (const path of [['toString'], ['constructor', 'name'], ['__proto__'], ['a', 'length'], ['list', '0']]) {
    expect(readPath({ a: 'text', list: ['x'] }, path)).toBeUndefined()
  }
})

test('values that are written at paths are own members, whatever objects inherit by the same names', () => {
  const claims = {}
  writePath(claims, ['given_name'], 'Ada')
  writePath(claims, ['constructor', 'name'], 'a')
  writePath(claims, ['constructor', 'toString'], 'b')
  expect(claims).toEqual({ given_name: 'Ada', constructor: { name: 'a', toString: 'b' } })
  expect(Object.name).toBe('Object')
})

test.each([
  ['claims.degrees[].type', ['degrees', null, 'type']],
  ["claims['a[]b'][][].c", ['a[]b', null, null, 'c']],
  ['claims[].name', [null, 'name']],
  ['claims.given_name', ['given_name']],
])('%s is a path through lists', (text, path) => {
  expect(parseListPath(text)).toEqual({ source: 'claims', path })
  expect(parseClaimPath(text) === undefined).toBe(path.includes(null))
})

test.each(['authenticationProvider[]', 'claims.a[0]', 'claims.a[', 'claims.a[]b', `claims.a${'[]'.repeat(16)}`])(
  '%j is not a path through lists',
  (text) => {
    expect(parseListPath(text)).toBeUndefined()
  },
)
