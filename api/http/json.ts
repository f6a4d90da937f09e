import jsonc from 'jsonc-parser'
import { Problem, type ProblemDetail } from '../../shared/errors.ts'

const deepest = 64

/**
 * Parses a request body so that what is stored is what was sent: duplicate members, `__proto__`, lone surrogates, U+0000,
 * numbers that a double cannot hold and nesting beyond 64 levels are refused by name.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('malformed_body')
  }
  const details = ambiguities(text)
  if (details.length > 0) throw new Problem('bad_request', { details })
  return value
}

function ambiguities(text: string): ProblemDetail[] {
  const details: ProblemDetail[] = []
  const members: Set<string>[] = []
  let depth = 0
  const refuse = (path: jsonc.JSONPath, msg: string) => {
    if (details.length < 20) details.push({ msg, param: path.join('.'), location: 'body' })
  }
  const enter = (pathSupplier: () => jsonc.JSONPath) => {
    if (++depth <= deepest) return
    refuse(pathSupplier().slice(0, 3), `Nested deeper than ${deepest} levels`)
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
        if (!isText(name)) refuse([...path(), name.toWellFormed()], 'The name is not well-formed Unicode')
      },
      onLiteralValue(value, _offset, _length, _line, _character, path) {
        if (typeof value === 'string' && !isText(value)) refuse(path(), 'Not well-formed Unicode, or holds U+0000')
        if (typeof value === 'number' && !isExact(value)) refuse(path(), 'This number cannot be kept exactly')
      },
    })
  } catch (error) {
    if (error !== tooDeep) throw error
  }
  return details
}

const tooDeep = new Error('nested too deeply')

/** PostgreSQL has no text with U+0000, and nobody means it. */
export function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}
