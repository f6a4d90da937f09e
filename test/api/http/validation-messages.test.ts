import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parsePart } from '../../../api/http/problems.ts'
import { routes } from '../../../api/routes.ts'
import { findProblem, type ProblemDetail } from '../../../shared/errors/errors.ts'
import { samplesOf } from '../../harness/samples.ts'

function detailsOf(schema: z.ZodType, input: unknown): ProblemDetail[] {
  try {
    parsePart(schema, input, 'body')
    return []
  } catch (error) {
    const problem = findProblem(error)
    if (!problem?.details) throw error
    return problem.details
  }
}

describe('a validation error has a message for humans:', () => {
  const Sample = z.strictObject({
    name: z.string().min(2).max(3).optional(),
    tags: z.array(z.string().min(1)).min(1).max(2).optional(),
    limit: z.number().int().min(1).max(9).optional(),
    share: z.number().gt(0).lt(1).optional(),
    pair: z.tuple([z.number(), z.number()]).optional(),
    code: z.string().length(1).optional(),
    id: z.uuid().optional(),
    day: z.iso.date().optional(),
    color: z.enum(['red', 'blue']).optional(),
    only: z.literal('this').optional(),
    yes: z.boolean().optional(),
    map: z.record(z.string().max(2), z.number()).optional(),
    either: z.union([z.string(), z.array(z.string())]).optional(),
    shape: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('line'), length: z.number() }),
        z.object({ kind: z.literal('dot') }),
      ])
      .optional(),
  })
  test.each<[unknown, string, string]>([
    [[], '', 'Must be an object'],
    [{ nmae: 'x' }, 'nmae', 'Unknown member'],
    [{ name: 7 }, 'name', 'Must be a string'],
    [{ name: 'x' }, 'name', 'Must have at least 2 characters'],
    [{ name: 'long' }, 'name', 'Must have at most 3 characters'],
    [{ code: 'xy' }, 'code', 'Must have exactly 1 character'],
    [{ tags: [] }, 'tags', 'Must not be empty'],
    [{ tags: [''] }, 'tags.0', 'Must not be empty'],
    [{ tags: ['a', 'b', 'c'] }, 'tags', 'Must have at most 2 items'],
    [{ tags: 'a' }, 'tags', 'Must be an array'],
    [{ limit: 0 }, 'limit', 'Must be at least 1'],
    [{ limit: 10 }, 'limit', 'Must be at most 9'],
    [{ limit: 1.5 }, 'limit', 'Must be a whole number'],
    [{ share: 0 }, 'share', 'Must be more than 0'],
    [{ share: 1 }, 'share', 'Must be less than 1'],
    [{ id: 'x' }, 'id', 'Must be a UUID'],
    [{ day: 'x' }, 'day', 'Must be a date such as 2026-01-31'],
    [{ color: 'green' }, 'color', 'Must be one of red, blue'],
    [{ only: 'that' }, 'only', 'Must be this'],
    [{ yes: 'yes' }, 'yes', 'Must be true or false'],
    [{ map: { long: 1 } }, 'map.long', 'Invalid member name: Must have at most 2 characters'],
    [{ either: 7 }, 'either', 'Must be a string, or an array'],
    [{ either: [7] }, 'either.0', 'Must be a string'],
    [{ shape: {} }, 'shape.kind', 'Required'],
    [{ shape: { kind: 'arc' } }, 'shape.kind', 'Must be one of line, dot'],
    [{ shape: { kind: 'line' } }, 'shape.length', 'Required'],
  ])('%j', (input, param, msg) => {
    expect(detailsOf(Sample, input)).toEqual([expect.objectContaining({ param, msg })])
  })

  test('a missing field is required, whatever its schema requires', () => {
    const schema = z.object({ url: z.url('Must be an address'), at: z.object({ id: z.uuid() }) })
    expect(detailsOf(schema, { at: {} }).map(({ param, msg }) => [param, msg])).toEqual([
      ['url', 'Required'],
      ['at.id', 'Required'],
    ])
  })
})

describe('no validation error has the message of a library:', () => {
  const wrong = [undefined, null, 7, -1, 1.5, 1e12, 'x', '', 'x'.repeat(30_000), [], [null, 7], {}, { zz: 1 }, true]
  const libraryMessage = /^Invalid|expected|received|Unrecognized|^Too (small|big)|\[object/
  // The fallback messages for schemas without a message. No route has such a schema.
  const fallbackMessage =
    /^Must be (of another type|in another format)$|^Not acceptable$|^Invalid member name: not acceptable$/

  const parts = routes.flatMap(({ operation, params, query, body }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) => (schema ? [{ operation, part, schema }] : [])),
  )
  test.each(parts)('$operation, $part', ({ schema }) => {
    const details = [...wrong, ...samplesOf(schema, wrong)].flatMap((input) => detailsOf(schema, input))
    expect(details.filter(({ msg }) => libraryMessage.test(msg) || fallbackMessage.test(msg))).toEqual([])
  })
})
