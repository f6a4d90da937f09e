import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseParameters } from '../../api/http/body.ts'
import { parseJson } from '../../api/http/json.ts'
import { detailsOf } from '../../api/http/problems.ts'
import { readJws } from '../../api/proofs/jws.ts'
import { termsOfClaims } from '../../db/repos/issuance/users/claim-terms.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { decodeCbor } from '../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { kidOfJwe } from '../../shared/formats/jwe.ts'

const encoded = (text: string) => Buffer.from(text).toString('base64url')
const listOf = (n: number, item: (i: number) => string) => Array.from({ length: n }, (_, i) => item(i)).join(',')
const refuse = (message: string) => new Problem('invalid_proof', { message })
const jws = (header: string) =>
  readJws(`${encoded(header)}.e30.e30`, { header: z.unknown(), payload: z.unknown() }, refuse)
const wrongOf = (schema: z.ZodType, input: unknown) => {
  const { error } = schema.safeParse(input)
  return error && detailsOf(error, 'body', input, new Set())
}

/** What is read of a request, by the body of n bytes that costs it most. White space makes JSON be looked at closely. */
const worst: Record<string, (n: number) => () => unknown> = {
  'one parameter again and again': (n) => () => parseParameters('a&'.repeat(n / 2)),
  'one parameter again and again, each with its value': (n) => () => parseParameters('a=b&'.repeat(n / 4)),
  'parameters without a name': (n) => () => parseParameters('&'.repeat(n)),
  'many parameters': (n) => () => parseParameters(listOf(n / 7, (i) => `a${i}=`).replaceAll(',', '&')),
  'a long parameter': (n) => () => parseParameters(`a=${'%61'.repeat(n / 3)}`),
  'lists in lists': (n) => () => parseJson('['.repeat(n / 2) + ']'.repeat(n / 2)),
  'objects in objects': (n) => () => parseJson(`${'{"a":'.repeat(n / 6)}1${'}'.repeat(n / 6)}`),
  'a long list': (n) => () => parseJson(` [${listOf(n / 2, () => '0')}]`),
  'a list of lists': (n) => () => parseJson(` [${listOf(n / 3, () => '[]')}]`),
  'a long list, deep inside': (n) => () => parseJson(` ${'['.repeat(60)}${listOf(n / 2, () => '0')}${']'.repeat(60)}`),
  'many members': (n) => () => parseJson(` {${listOf(n / 10, (i) => `"a${i}":1`)}}`),
  'one member again and again': (n) => () => parseJson(`{${listOf(n / 6, () => '"a":1')}}`),
  'one member again and again, deep inside': (n) => () =>
    parseJson(`${'['.repeat(60)}{${listOf(n / 6, () => '"a":1')}}${']'.repeat(60)}`),
  'two members of one long name': (n) => () => parseJson(`{"${'a'.repeat(n / 2)}":1,"${'a'.repeat(n / 2)}":1}`),
  'a long number': (n) => () => parseJson(` [${'1'.repeat(n)}]`),
  'many numbers that are too long': (n) => () => parseJson(`[${listOf(n / 401, () => `1${'0'.repeat(398)}1`)}]`),
  'a long text': (n) => () => parseJson(` "${'x'.repeat(n)}"`),
  'a text of escapes': (n) => () => parseJson(`"${'\\u0061'.repeat(n / 6)}"`),
  'texts that cannot be kept': (n) => () => parseJson(`[${listOf(n / 9, () => '"\\ud800"')}]`),
  'many lines': (n) => () => parseJson(`${'\n'.repeat(n)}0`),
  'a list of what is wrong': (n) => () => wrongOf(z.array(z.string()), new Array(n / 2).fill(0)),
  'members that are all wrong': (n) => {
    const input = parseJson(`{${listOf(n / 10, (i) => `"a${i}":1`)}}`)
    return () => wrongOf(z.record(z.string(), z.union([z.string(), z.boolean()])), input)
  },
  'unknown members': (n) => {
    const input = parseJson(`{${listOf(n / 10, (i) => `"a${i}":1`)}}`)
    return () => wrongOf(z.strictObject({}), input)
  },
  'what is wrong below a long name': (n) => {
    const input = { ['a'.repeat(n / 2)]: new Array(n / 4).fill(0) }
    return () => wrongOf(z.record(z.string(), z.array(z.string())), input)
  },
  'many claims': (n) => {
    const claims = JSON.parse(`{${listOf(n / 10, (i) => `"a${i}":1`)}}`)
    return () => termsOfClaims(claims)
  },
  'many claims below a long name': (n) => {
    const claims = { ['a'.repeat(n / 2)]: JSON.parse(`{${listOf(n / 20, (i) => `"a${i}":1`)}}`) }
    return () => termsOfClaims(claims)
  },
  'a JWS whose header has one member again and again': (n) => () => jws(`{${listOf(n / 8, () => '"a":1')}}`),
  'a JWS of lists in lists': (n) => () => jws('['.repeat(n / 3) + ']'.repeat(n / 3)),
  'a JWS of many parts': (n) => () => readJws('a.'.repeat(n / 2), { header: z.any(), payload: z.any() }, refuse),
  'a JWE of many parts': (n) => () => kidOfJwe('a.'.repeat(n / 2)),
  'a map in CBOR whose keys fall into one place': (n) => {
    const bytes = encodeCbor(new Map(collidingNumbers(n / 6).map((key) => [key, 0])))
    return () => decodeCbor(bytes)
  },
  'a JWE with a long header': (n) => () => kidOfJwe(`${encoded(`{${listOf(n / 8, () => '"a":1')}}`)}....`),
}

test.each(Object.entries(worst))('%s costs four times as much at four times the size', (_what, prepare) => {
  // If the cost grew with the square of the size, it would be sixteen times as much in each try. The garbage collector can
  // cost a few milliseconds.
  const growths: number[] = []
  do growths.push(growthOf(prepare))
  while (growths.length < 3 && Math.min(...growths) >= 10)
  expect(Math.min(...growths)).toBeLessThan(10)
})

/** Some systems count CPU time in steps of 4 ms or 10 ms. One measurement is long enough for that. */
const measurementMs = 40

const minCostMs = 3

/** The cheaper of two measurements counts for the small input, because a cold run hides growth. */
function growthOf(prepare: (n: number) => () => unknown): number {
  const large = costMs(prepare(100_000))
  // The small input cannot change the result.
  if (large < 10 * minCostMs) return large / minCostMs
  const small = prepare(25_000)
  return large / Math.max(Math.min(costMs(small), costMs(small)), minCostMs)
}

/** The CPU time of one run on this thread. A measurement has as many runs as take `measurementMs`. */
function costMs(run: () => unknown): number {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    try {
      run()
    } catch (error) {
      if (!(error instanceof Problem || error instanceof FormatError)) throw error
    }
    const { user, system } = process.threadCpuUsage(before)
    const spentMs = (user + system) / 1000
    if (spentMs >= measurementMs) return spentMs / runs
  }
}

/** So many numbers that V8 keeps in one place of a map: its hash of them has no seed, and is undone here step by step. */
function collidingNumbers(count: number): number[] {
  const unshifted = (hash: number, by: number) => {
    let value = hash
    for (let bits = by; bits < 32; bits += by) value = hash ^ (value >>> by)
    return value
  }
  const numbers: number[] = []
  for (let place = 0; numbers.length < count; place++) {
    let hash = Math.imul(unshifted(place << 15, 16), 0xc8de0639)
    hash = Math.imul(unshifted(hash, 4), 0xcccccccd)
    const number = Math.imul(unshifted(hash, 12) + 1, 0xbfff7fff)
    if (number >= 0) numbers.push(number)
  }
  return numbers
}
