import jsonc from 'jsonc-parser'

/** The maximum number of levels of a JSON value. */
export const maxJsonDepth = 64

/** A part of a JSON text that parsers read differently, or that a double or a database cannot hold. */
export interface Ambiguity {
  msg: string
  /** The dotted path of the value. */
  param: string
}

/**
 * Whether serializing the value yields the same text. Such a text has no duplicate members and no inexact numbers. This is true
 * for most requests. The complete check costs ten times as much.
 */
export function isPlain(text: string, value: unknown): boolean {
  if (text.includes('\\u') || text.includes('__proto__') || longInteger.test(text)) return false
  return mayBeTooDeep(text) ? false : JSON.stringify(value) === text
}

/** An integer from 2^53 on can be inexact and still serialize to the same text. */
const longInteger = /\d{16}/

function mayBeTooDeep(text: string): boolean {
  let opened = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code === openBrace || code === openBracket) && ++opened > maxJsonDepth) return true
  }
  return false
}

const openBrace = '{'.charCodeAt(0)
const openBracket = '['.charCodeAt(0)

/** Returns what the text of a value loses or leaves ambiguous, at most 20 items. */
export function findAmbiguities(text: string): Ambiguity[] {
  const ambiguities: Ambiguity[] = []
  const members: Set<string>[] = []
  let depth = 0
  const refuse = (path: jsonc.JSONPath, msg: string) => {
    if (ambiguities.length < 20) ambiguities.push({ msg, param: dottedPath(path) })
  }
  const enter = (pathSupplier: () => jsonc.JSONPath) => {
    if (++depth <= maxJsonDepth) return
    refuse(pathSupplier().slice(0, 3), `Must not have more than ${maxJsonDepth} levels`)
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
        if (!isText(name)) refuse([...path(), name], 'The name must be well-formed Unicode without U+0000')
      },
      onLiteralValue(value, offset, length, _line, _character, path) {
        if (typeof value === 'string' && !isText(value)) refuse(path(), 'Must be well-formed Unicode without U+0000')
        if (typeof value === 'number' && !isExact(value, text.slice(offset, offset + length)))
          refuse(path(), 'This number cannot be stored exactly')
      },
    })
  } catch (error) {
    if (error !== tooDeep) throw error
  }
  return ambiguities
}

const tooDeep = new Error('nested too deeply')

const maxParamLength = 500

/** Returns the dotted path of a field. Cuts a long path. */
export function dottedPath(path: readonly PropertyKey[]): string {
  return path.join('.').slice(0, maxParamLength).toWellFormed()
}

/** Whether PostgreSQL can store the text: it cannot store U+0000. */
export function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

/**
 * Whether a value that another parser read is one that the strict parser of request bodies accepts: of at most 64 levels, with
 * well-formed texts, and without `__proto__`. Cannot find duplicate members and rounded numbers, which are lost in the value.
 */
export function isStorableJson(value: unknown, levels = maxJsonDepth): boolean {
  if (typeof value === 'string') return isText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.entries(value).every(
    ([name, each]) => name !== '__proto__' && isText(name) && isStorableJson(each, levels - 1),
  )
}

/** Whether the value represents the number. A fraction may become the nearest double, but not zero. An integer must be exact. */
function isExact(value: number, literal: string): boolean {
  if (!Number.isFinite(value) || literal.length > maxNumberLength) return false
  if (value === 0) return !/[1-9]/.test(literal.split(/e/i)[0] ?? '')
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return true
  // Other parsers read an integer beyond 2^53 exactly. It is accepted only in the notation of a double.
  return /e/i.test(literal) && decimalOf(literal) === decimalOf(String(value))
}

const maxNumberLength = 400

/** Returns the significant digits and the power of ten of a decimal number. Ignores its sign. The number must not be zero. */
function decimalOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}
