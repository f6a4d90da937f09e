import { isRecord } from '../../kit/form-values.ts'

/** A configuration as it is sent. */
export type Body = Record<string, unknown>

/** The body with another value at a path; undefined takes it away, with the objects that are then empty. */
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

/** Where in a text a fault of JSON is, as far as the browser says it: from 1. */
export interface Place {
  line: number
  column: number
}

/** The object that a text is, or where it is none. */
export function readBody(text: string): { body: Body; fault?: never } | { body?: never; fault: Place | 'noObject' } {
  try {
    const body: unknown = JSON.parse(text)
    return isRecord(body) ? { body } : { fault: 'noObject' }
  } catch (error) {
    return { fault: placeOf(text, error instanceof Error ? error.message : '') }
  }
}

/** Chromium names a position, Firefox line and column; who names nothing means the end. */
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

/** Names of the members that two bodies do not have alike. */
export function differences(one: Body, other: Body): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !isSame(one[name], other[name]))
}
