import { expect, test } from 'vitest'
import { encodeCbor } from '../../../../shared/formats/cbor-encode.ts'
import { standardTypeOf } from '../../../../shared/formats/mdoc/doc-types.ts'
import { type ElementType, elementValue } from '../../../../shared/formats/mdoc/element-types.ts'
import { encodeElements } from '../../../../shared/formats/mdoc/elements.ts'

const hex = (value: unknown, type?: ElementType) => encodeCbor(elementValue(value, type)).toString('hex')
const textHex = (text: string) => Buffer.from(text).toString('hex')

test.each<[ElementType | undefined, unknown, string]>([
  ['full-date', '2000-02-29', `d903ec6a${textHex('2000-02-29')}`],
  ['tdate', '2026-01-31T23:59:59.9+01:00', `c074${textHex('2026-01-31T22:59:59Z')}`],
  ['tdate', '2026-01-31', `c074${textHex('2026-01-31T00:00:00Z')}`],
  ['date', '2026-01-31', `d903ec6a${textHex('2026-01-31')}`],
  ['date', '2026-01-31T10:00:00Z', `c074${textHex('2026-01-31T10:00:00Z')}`],
  ['bstr', '-_8=', '42fbff'],
  ['bstr', '+/8', '42fbff'],
  ['bstr', 'data:image/jpeg;base64,/9j/', '43ffd8ff'],
  ['bool', true, 'f5'],
  ['bool', 'false', 'f4'],
  ['uint', 180, '18b4'],
  ['uint', '0', '00'],
  ['int', -1, '20'],
  ['int', '9007199254740993', '1b0020000000000001'],
  ['int', '18446744073709551615', '1bffffffffffffffff'],
  ['tstr', 'Ä', '62c384'],
  [{ arrayOf: 'int' }, [1, '2'], '820102'],
  [
    { members: { since: 'full-date' } },
    { since: '2000-01-01', more: [1] },
    `a26573696e6365d903ec6a${textHex('2000-01-01')}646d6f72658101`,
  ],
  [undefined, { a: [null, 1.5] }, 'a1616182f6f93e00'],
])('as %j, %j is encoded', (type, value, written) => {
  expect(hex(value, type)).toBe(written)
})

test.each<[ElementType, unknown]>([
  ['full-date', '2026-02-30'],
  ['full-date', '2026-2-3'],
  ['full-date', '2026-01-01T00:00:00Z'],
  ['full-date', 20260101],
  ['tdate', '2026-02-30T00:00:00Z'],
  ['tdate', '2026-01-01T24:00:00Z'],
  ['tdate', '2026-01-01T00:00:00'],
  ['date', 'soon'],
  ['bstr', ''],
  ['bstr', 'data:image/jpeg;base64,'],
  ['bstr', 'AAAAA'],
  ['bstr', 'AA='],
  ['bstr', 'AAA==='],
  ['bstr', 'AA AA'],
  ['bstr', 'AA+_'],
  ['bstr', 'AAAÄ'],
  // The low byte is that of an A.
  ['bstr', 'AAAŁ'],
  ['bstr', 'AA\nAA'],
  ['bstr', 'A=AA'],
  ['bstr', 'AA==AAAA'],
  ['bstr', '===='],
  ['bstr', [1, 2]],
  ['bool', 1],
  ['bool', 'yes'],
  ['uint', -1],
  ['uint', 1.5],
  ['int', 2 ** 53],
  ['int', '18446744073709551616'],
  ['int', ''],
  ['int', '0x10'],
  ['tstr', 5],
  [{ arrayOf: 'int' }, { 0: 1 }],
  [{ members: {} }, [1]],
  [{ members: {}, required: ['code'] }, { other: 1 }],
])('as %j, %j is refused without being repeated', (type, value) => {
  expect(() => elementValue(value, type)).toThrow(expect.objectContaining({ code: 'invalid_element' }))
  expect(() => elementValue(value, type)).toThrow(/^must be [^{]*$/)
})

test('driving privileges and ages have the types of the standard', () => {
  const mdl = (element: string) => standardTypeOf('org.iso.18013.5.1.mDL', 'org.iso.18013.5.1', element)
  expect(mdl('age_over_21')).toBe('bool')
  expect(mdl('age_over_x')).toBeUndefined()
  expect(mdl('constructor')).toBeUndefined()
  expect(standardTypeOf('constructor', 'name', 'x')).toBeUndefined()
  const privileges = [{ vehicle_category_code: 'A', issue_date: '2018-08-09', codes: [{ code: '01', sign: '=' }] }]
  expect(hex(privileges, mdl('driving_privileges'))).toContain(`d903ec6a${textHex('2018-08-09')}`)
  expect(() => elementValue([{ issue_date: '2018-08-09' }], mdl('driving_privileges'))).toThrow('vehicle_category_code')
})

test('the fault of an element is reported with its name', () => {
  const claims = { 'org.iso.18013.5.1': { birth_date: '2026-02-30' } }
  expect(() => encodeElements('org.iso.18013.5.1.mDL', claims, {})).toThrow(
    'The claim org.iso.18013.5.1 birth_date must be a date such as 2001-12-31',
  )
})

const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`)

test('an element of 100 levels is encoded, and one of 300 is refused by name', () => {
  expect(encodeElements('own', { space: { deep: nested(100) } }, {}).get('space')).toHaveLength(1)
  expect(() => encodeElements('own', { space: { deep: nested(300) } }, {})).toThrow('The claim space deep')
})

test('the cost of reading an element is linear in its length', () => {
  /** The least CPU time of several runs on this thread, in milliseconds. Some systems count it in steps of 10 ms. */
  const costOf = (length: number) => {
    const text = 'A'.repeat(length)
    const wrong = `${text}*`
    const costs = Array.from({ length: 5 }, () => {
      const before = process.threadCpuUsage()
      elementValue(text, 'bstr')
      expect(() => elementValue(wrong, 'bstr')).toThrow()
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    })
    return Math.min(...costs)
  }
  expect(costOf(4_000_000)).toBeLessThan(50 * Math.max(costOf(400_000), 10))
})
