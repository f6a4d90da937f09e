import { isRecord } from '../../kit/form-values.ts'

/** A configuration as it is sent to the service. */
export type Body = Record<string, unknown>

/** Returns the body with a new value at a path. Undefined removes the member and the objects that become empty. */
export function withValue(body: Body, [first = '', ...rest]: readonly string[], value: unknown): Body {
  const inner = Object.hasOwn(body, first) ? body[first] : undefined
  const next = rest.length === 0 ? value : filled(withValue(isRecord(inner) ? inner : {}, rest, value))
  const entries = Object.entries(body)
  if (next === undefined) return Object.fromEntries(entries.filter(([name]) => name !== first))
  const isThere = Object.hasOwn(body, first)
  return Object.fromEntries(
    isThere ? entries.map(([name, each]) => [name, name === first ? next : each]) : [...entries, [first, next]],
  )
}

function filled(body: Body): Body | undefined {
  return Object.keys(body).length > 0 ? body : undefined
}

/** The position of a JSON syntax error as the browser reports it. Lines and columns start at 1. */
export interface Place {
  line: number
  column: number
}

/** Parses a text as an object, or returns the position of the error. */
export function readBody(text: string): { body: Body; fault?: never } | { body?: never; fault: Place | 'noObject' } {
  try {
    const body: unknown = JSON.parse(text)
    return isRecord(body) ? { body } : { fault: 'noObject' }
  } catch (error) {
    return { fault: placeOf(text, error instanceof Error ? error.message : '') }
  }
}

/** Chromium reports an offset, Firefox reports line and column. Without either, the position is the end of the text. */
function placeOf(text: string, message: string): Place {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
  if (line && column) return { line: Number(line), column: Number(column) }
  const position = /position (\d+)/.exec(message)?.[1]
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

export function shownAsText(body: Body): string {
  return JSON.stringify(body, undefined, 2)
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the names of the members that differ between two bodies. */
export function differences(one: Body, other: Body): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !isSame(one[name], other[name]))
}
