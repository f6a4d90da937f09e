import { expect, test } from 'vitest'
import { requestsClaim, selectClaims } from '../../../../shared/formats/dcql/select-claims.ts'
import type { ClaimPointer } from '../../../../shared/formats/sd-jwt/claim-pointer.ts'

/** The credential of OpenID4VP 1.0, section 7.3, with more arrays. */
const claims = {
  name: 'Arthur Dent',
  address: { street_address: '42 Market Street', locality: 'Milliways', postal_code: '12345' },
  degrees: [
    { type: 'Bachelor of Science', university: 'University of Betelgeuse' },
    { type: 'Master of Science', university: 'University of Betelgeuse' },
  ],
  nationalities: ['British', 'Betelgeusian'],
  mixed: [{ type: 'a' }, 'b'],
  partly: [{ type: 'a' }, { other: 'b' }],
  nothing: [],
  unknown: null,
  nested: [[1, 2], [3]],
  // The holder disclosed the second and the third element.
  disclosed: [undefined, 'b', { c: 1 }],
}

test.each<[ClaimPointer, unknown[]]>([
  [['name'], ['Arthur Dent']],
  [['address'], [claims.address]],
  [['address', 'street_address'], ['42 Market Street']],
  [
    ['degrees', null, 'type'],
    ['Bachelor of Science', 'Master of Science'],
  ],
  [['nationalities', 1], ['Betelgeusian']],
  [['nationalities', 2], []],
  [['nationalities', null], claims.nationalities],
  [['name', 0], []],
  [['name', 'length'], []],
  [['nationalities', 'length'], []],
  [['address', null], []],
  [['address', 0], []],
  [['missing'], []],
  [['constructor'], []],
  [['mixed', null, 'type'], []],
  [['partly', null, 'type'], ['a']],
  [['nothing', null], []],
  [['nothing'], [[]]],
  [['unknown'], [null]],
  [['unknown', 'x'], []],
  [
    ['nested', null, null],
    [1, 2, 3],
  ],
  [['nested', null, 1], [2]],
  [['disclosed', 0], []],
  [['disclosed', 1], ['b']],
  [['disclosed', 2, 'c'], [1]],
  [
    ['disclosed', null],
    ['b', { c: 1 }],
  ],
])('the pointer %j selects %j', (path, selected) => {
  expect(selectClaims(claims, path)).toEqual(selected)
})

test.each<[ClaimPointer, ClaimPointer, boolean]>([
  [['a'], ['a'], true],
  [['a'], ['a', 'b'], true],
  [['a', 'b'], ['a'], true],
  [['a', 'b'], ['a', 'c'], false],
  [['a', null], ['a', 3], true],
  [['a', null, 'b'], ['a', 3, 'b'], true],
  [['a', null, 'b'], ['a', 3, 'c'], false],
  [['a', null], ['a', 'b'], false],
  [['a', 1], ['a', 1], true],
  [['a', 1], ['a', 0], false],
  [['a', 1], ['a', '1'], false],
])('the pointer %j requests the claim at %j: %s', (path, claim, expected) => {
  expect(requestsClaim(path, claim)).toBe(expected)
})
