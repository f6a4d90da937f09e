import jsonc from 'jsonc-parser'
import { Problem } from '../../shared/errors/errors.ts'
import { findAmbiguities, isPlain, maxJsonDepth } from '../../shared/formats/lossless-json.ts'

/**
 * Parses a request body without loss. Refuses duplicate members, `__proto__`, lone surrogates, U+0000, numbers that a double cannot
 * represent, and more than 64 levels.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('malformed_body', { message: `The body is not valid JSON${placeOfMistake(text)}` })
  }
  if (isPlain(text, value)) return value
  const details = findAmbiguities(text).map((ambiguity) => ({ ...ambiguity, location: 'body' as const }))
  if (details.length > 0) throw new Problem('bad_request', { details })
  return value
}

/** Returns the line and column of the first error, from 1. Returns an empty text if the nesting is too deep. */
function placeOfMistake(text: string): string {
  let place = ''
  let depth = 0
  const enter = () => {
    if (++depth > maxJsonDepth) throw tooDeep
  }
  const leave = () => {
    depth--
  }
  try {
    jsonc.visit(
      text,
      {
        onObjectBegin: enter,
        onObjectEnd: leave,
        onArrayBegin: enter,
        onArrayEnd: leave,
        onError(_error, _offset, _length, line, character) {
          place ||= `: see line ${line + 1}, column ${character + 1}`
          throw firstErrorReached
        },
      },
      { disallowComments: true },
    )
  } catch (error) {
    if (error !== tooDeep && error !== firstErrorReached) throw error
  }
  return place
}

const tooDeep = new Error('nested too deeply')
const firstErrorReached = new Error('first error found')
