import { expect, test } from 'vitest'
import { parseStrictJson } from '../../../shared/formats/strict-json.ts'

const parse = (text: string, maxDepth = 3) => parseStrictJson(Buffer.from(text), maxDepth)

test.each(['null', '"\\u00e9"', '[1,{"a":[]}]', ' { "b" : 1 , "1" : 2 } ', '{"a":{"a":{"a":1}}}', '{"__proto__":1}'])(
  '%s is read like JSON.parse does',
  (text) => {
    expect(parse(text)).toEqual({ value: JSON.parse(text) })
  },
)

test('a long text of few levels is read', () => {
  const text = `[${'[[]],'.repeat(1000)}{"a":1}]`
  expect(parse(text)).toEqual({ value: JSON.parse(text) })
})

test.each(['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{},"a":1,"b":{}}]'])('%s has a member twice', (text) => {
  expect(parse(text)).toEqual({ fault: 'duplicate_member' })
})

test.each(['[[[[]]]]', '{"a":{"a":{"a":{}}}}', '[[],{"a":[[]]}]', ' [ [ [ [ 1 ] ] ] ]'])(
  '%s has four levels',
  (text) => {
    expect(parse(text)).toEqual({ fault: 'too_deep' })
    expect(parse(text, 4)).toEqual({ value: JSON.parse(text) })
  },
)

test('a million levels are refused', () => {
  expect(parse('['.repeat(1_000_000) + ']'.repeat(1_000_000))).toEqual({ fault: 'too_deep' })
})

test.each(['', '{', '[1,]', '{a:1}', '// comment\n1', '\uFEFF1', 'NaN'])('%j is malformed', (text) => {
  expect(parse(text)).toEqual({ fault: 'malformed' })
})

test('a text that is not UTF-8 is malformed', () => {
  expect(parseStrictJson(Buffer.from([0x22, 0xff, 0x22]), 3)).toEqual({ fault: 'malformed' })
})
