import { say, type Text } from './language.ts'
import { words } from './texts.ts'

/** One field of a form, as data. */
export interface Field {
  /** Where its value stands in the body: names with dots between. */
  name: string
  label: Text
  hint?: Text
  /**
   * `text` where nothing is said; `long` has several lines; `lines` is a list of texts, one in a line; `several` is a list of some of
   * its choices; `pem` is a text that can come from a file; `moment` is a time in the reader's zone; `tick` is true or false;
   * `file` is what is in a file, in base64.
   */
  kind?:
    | ('text' | 'long' | 'lines' | 'pem' | 'number' | 'date' | 'moment')
    | ('choice' | 'several' | 'tick' | 'json' | 'secret' | 'color' | 'file')
  choices?: readonly { value: string; label: Text; hint?: Text }[]
  required?: boolean
  placeholder?: string
  rows?: number
}

/** What stands in the fields, by their names. */
export type Typed = Record<string, string | boolean>

/** What stands in the fields of a body that is there already. */
export function typedOf(fields: readonly Field[], body: object): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, shownOf(field, valueAt(body, field.name))]))
}

/** A value of a body as its field shows it. */
export function shownOf(field: Field, value: unknown): string | boolean {
  if (field.kind === 'tick') return value === true
  if (value === undefined || value === null)
    return field.kind === 'choice' && field.required ? (field.choices?.[0]?.value ?? '') : ''
  if (field.kind === 'json') return JSON.stringify(value, undefined, 2)
  if ((field.kind === 'lines' || field.kind === 'several') && Array.isArray(value)) return value.join('\n')
  if (field.kind === 'moment') return localTime(String(value))
  return String(value)
}

/** The body that the fields make, or what is wrong with them. What is empty is left out. */
export function bodyOf(
  fields: readonly Field[],
  typed: Typed,
): { body: Record<string, unknown>; faults: Record<string, string> } {
  const body: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  for (const field of fields) {
    try {
      const value = readTyped(field, typed[field.name] ?? '')
      if (value === undefined && field.required) faults[field.name] = say(words.mustFill)
      if (value !== undefined) put(body, field.name, value)
    } catch (error) {
      faults[field.name] = error instanceof Error ? error.message : String(error)
    }
  }
  return { body, faults }
}

/** Undefined where nothing was typed. Throws an Error in words where it is nothing of its kind. */
export function readTyped({ kind }: Field, typed: string | boolean): unknown {
  if (typeof typed === 'boolean') return typed
  if (typed.trim() === '') return undefined
  if (kind === 'number') return Number(typed)
  if (kind === 'moment') return new Date(typed).toISOString()
  if (kind === 'lines' || kind === 'several') return typed.split('\n').flatMap((line) => line.trim() || [])
  return kind === 'json' ? parseJson(typed) : typed
}

/** Throws an Error that says in the reader's language that it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(say(words.notJson, { why: error instanceof Error ? error.message : '' }))
  }
}

/** What stands in a body under names with dots between. */
export function valueAt(body: object, name: string): unknown {
  return name.split('.').reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), body)
}

/** Only own properties are made: a claim may have any name. */
function put(body: Record<string, unknown>, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) {
    Object.defineProperty(body, first, { value, enumerable: true, writable: true, configurable: true })
    return
  }
  const inner = Object.hasOwn(body, first) ? body[first] : undefined
  const next = isRecord(inner) ? inner : {}
  put(next, rest.join('.'), value)
  Object.defineProperty(body, first, { value: next, enumerable: true, writable: true, configurable: true })
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As `datetime-local` has it, in the reader's zone. */
function localTime(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
