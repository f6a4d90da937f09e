import type { ComponentChildren } from 'preact'
import { say, type Text } from './language.ts'
import { commonTexts } from './texts.ts'

/** One of the choices of a field. Choices of a list can have groups. */
export interface Choice {
  value: string
  label: Text
  hint?: Text
  group?: Text
}

/** One field of a form, as data. */
export interface Field {
  /** The path of its value in the body, with dots between names. */
  name: string
  label: Text
  hint?: Text
  /**
   * The default is `text`. `long` has several lines. `lines` is a list of texts, one per line. `several` is a list of some of its
   * choices. `pem` is a text that can be read from a file. `moment` is a time in the reader's time zone. `tick` is true or false.
   * `file` is the content of a file in base64.
   */
  kind?:
    | ('text' | 'long' | 'lines' | 'pem' | 'number' | 'date' | 'moment')
    | ('choice' | 'several' | 'tick' | 'json' | 'secret' | 'color' | 'file')
  choices?: readonly Choice[]
  required?: boolean
  /** Whether an absent value of a tick means true. */
  isTrueByDefault?: boolean
  placeholder?: string
  /** The value that holds while the field is empty, for screens that only show it. */
  byDefault?: Text
  rows?: number
  /** Renders what stands below a text input. Calls `type` to replace the text of the input. */
  below?: (type: (text: string) => void) => ComponentChildren
}

/** The typed values by field name. */
export type Typed = Record<string, string | boolean>

/** Returns the field values of an existing body. */
export function typedOf(fields: readonly Field[], body: object): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, shownOf(field, valueAt(body, field.name))]))
}

/** Returns a value of a body in the form that its field shows. */
export function shownOf(field: Field, value: unknown): string | boolean {
  if (field.kind === 'tick') return (value ?? field.isTrueByDefault) === true
  if (value === undefined || value === null)
    return field.kind === 'choice' && field.required ? (field.choices?.[0]?.value ?? '') : ''
  if (field.kind === 'json') return JSON.stringify(value, undefined, 2)
  if ((field.kind === 'lines' || field.kind === 'several') && Array.isArray(value)) return value.join('\n')
  if (field.kind === 'moment') return localTime(String(value))
  return String(value)
}

/** Returns the body of the typed values, and an error for each invalid field. Omits empty fields. */
export function bodyOf(
  fields: readonly Field[],
  typed: Typed,
): { body: Record<string, unknown>; faults: Record<string, string> } {
  const body: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  for (const field of fields) {
    try {
      const value = readTyped(field, typed[field.name] ?? '')
      if (value === undefined && field.required) faults[field.name] = say(commonTexts.mustFill)
      if (value !== undefined) put(body, field.name, value)
    } catch (error) {
      faults[field.name] = error instanceof Error ? error.message : String(error)
    }
  }
  return { body, faults }
}

/** Returns undefined for an empty field. Throws an Error with a message for the user if the value has the wrong type. */
export function readTyped({ kind }: Field, typed: string | boolean): unknown {
  if (typeof typed === 'boolean') return typed
  if (typed.trim() === '') return undefined
  if (kind === 'number') return Number(typed)
  if (kind === 'moment') return new Date(typed).toISOString()
  if (kind === 'lines' || kind === 'several') return typed.split('\n').flatMap((line) => line.trim() || [])
  return kind === 'json' ? parseJson(typed) : typed
}

/** Parses JSON. Throws an Error with a message in the reader's language. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(say(commonTexts.notJson, { why: error instanceof Error ? error.message : '' }))
  }
}

/** Returns the value at a path of a body, with dots between names. */
export function valueAt(body: object, name: string): unknown {
  return name.split('.').reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), body)
}

/** Sets a value at a path. Creates own properties only, because a claim may have any name. */
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

/** Formats a time for `datetime-local`, in the reader's time zone. */
function localTime(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
