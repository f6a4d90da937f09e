import jsonc from 'jsonc-parser'
import { Problem, type ProblemDetail } from '../../shared/errors.ts'

const maxDepth = 64

/**
 * Parses a request body so that what is stored is what was sent: duplicate members, `__proto__`, lone surrogates, U+0000,
 * numbers that a double cannot hold and nesting beyond 64 levels are refused by name.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('malformed_body', { message: `The body is not valid JSON${placeOfMistake(text)}` })
  }
  if (isPlain(text, value)) return value
  const details = ambiguities(text)
  if (details.length > 0) throw new Problem('bad_request', { details })
  return value
}

/** Where the first mistake is, by line and column from 1; nothing where the text is nested too deeply to look. */
function placeOfMistake(text: string): string {
  let place = ''
  let depth = 0
  const enter = () => {
    if (++depth > maxDepth) throw tooDeep
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
          throw found
        },
      },
      { disallowComments: true },
    )
  } catch (error) {
    if (error !== tooDeep && error !== found) throw error
  }
  return place
}

const found = new Error('the first mistake')

/**
 * Whether the text is what its value is written as, which leaves room for nothing that is refused: a member that came twice,
 * or a number that was cut, is not written again. Most requests are; to look closely is ten times as dear.
 */
function isPlain(text: string, value: unknown): boolean {
  if (text.includes('\\u') || text.includes('__proto__') || longInteger.test(text)) return false
  return mayBeTooDeep(text) ? false : JSON.stringify(value) === text
}

/** From 2^53 on, an integer can be written as it was and be another one all the same. */
const longInteger = /\d{16}/

function mayBeTooDeep(text: string): boolean {
  let opened = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code === openBrace || code === openBracket) && ++opened > maxDepth) return true
  }
  return false
}

const openBrace = '{'.charCodeAt(0)
const openBracket = '['.charCodeAt(0)

function ambiguities(text: string): ProblemDetail[] {
  const details: ProblemDetail[] = []
  const members: Set<string>[] = []
  let depth = 0
  const refuse = (path: jsonc.JSONPath, msg: string) => {
    if (details.length < 20) details.push({ msg, param: dottedPath(path), location: 'body' })
  }
  const enter = (pathSupplier: () => jsonc.JSONPath) => {
    if (++depth <= maxDepth) return
    refuse(pathSupplier().slice(0, 3), `Nested deeper than ${maxDepth} levels`)
    throw tooDeep
  }
  try {
    jsonc.visit(text, {
      onObjectBegin(_offset, _length, _line, _character, path) {
        enter(path)
        members.push(new Set())
      },
      onObjectEnd() {
        depth--
        members.pop()
      },
      onArrayBegin: (_offset, _length, _line, _character, path) => enter(path),
      onArrayEnd() {
        depth--
      },
      onObjectProperty(name, _offset, _length, _line, _character, path) {
        const own = members.at(-1)
        if (own?.has(name)) refuse([...path(), name], 'Appears more than once')
        own?.add(name)
        if (name === '__proto__') refuse([...path(), name], 'This name is not allowed')
        if (!isText(name)) refuse([...path(), name], 'The name is not well-formed Unicode')
      },
      onLiteralValue(value, offset, length, _line, _character, path) {
        if (typeof value === 'string' && !isText(value)) refuse(path(), 'Not well-formed Unicode, or holds U+0000')
        if (typeof value === 'number' && !isExact(value, text.slice(offset, offset + length)))
          refuse(path(), 'This number cannot be kept exactly')
      },
    })
  } catch (error) {
    if (error !== tooDeep) throw error
  }
  return details
}

const tooDeep = new Error('nested too deeply')

const maxParamLength = 500

/** How an answer names a field: its dotted path, of which a caller who makes it long is told the beginning. */
export function dottedPath(path: readonly PropertyKey[]): string {
  return path.join('.').slice(0, maxParamLength).toWellFormed()
}

/** PostgreSQL has no text with U+0000, and nobody means it. */
export function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

/** Fractions become the nearest double; a whole number has to be the number that was written, and nothing becomes zero. */
function isExact(value: number, literal: string): boolean {
  if (!Number.isFinite(value) || literal.length > maxNumberLength) return false
  if (value === 0) return !/[1-9]/.test(literal.split(/e/i)[0] ?? '')
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return true
  // Beyond 2^53 other readers have integers that this one has not: only what is written as a double is one.
  return /e/i.test(literal) && decimalOf(literal) === decimalOf(String(value))
}

const maxNumberLength = 400

/** Significant digits and power of ten of a decimal number other than zero, whatever its sign. */
function decimalOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}
