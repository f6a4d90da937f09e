import { type CborValue, dateTime, fullDate } from '../cbor.ts'
import { jsonToCbor } from '../cbor-json.ts'
import { FormatError } from '../format-error.ts'

/** Types of single values, with their CDDL names (RFC 8610). ISO/IEC 18013-5 defines `full-date` and `tdate`. */
export const valueTypes = ['tstr', 'bstr', 'int', 'uint', 'bool', 'full-date', 'tdate', 'date'] as const
/** A `date` is a full-date or a tdate, depending on the form of the value. */
export type ValueType = (typeof valueTypes)[number]

/** The conversion of a JSON value to CBOR. Members without a type are converted as plain JSON. */
export type ElementType =
  | ValueType
  | { readonly arrayOf: ElementType }
  | { readonly members: Readonly<Record<string, ElementType>>; readonly required?: readonly string[] }

/**
 * Converts the parsed JSON of an element to CBOR. Without a type, it converts plain JSON. Throws `invalid_element`, whose message names
 * the expected type and never contains the value.
 */
export function elementValue(value: unknown, type: ElementType | undefined): CborValue {
  if (type === undefined) return jsonToCbor(value)
  if (typeof type === 'string') return readers[type](value)
  if ('arrayOf' in type) {
    if (!Array.isArray(value)) throw invalid('an array')
    return value.map((item) => elementValue(item, type.arrayOf))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('an object')
  for (const name of type.required ?? []) if (!Object.hasOwn(value, name)) throw invalid(`an object with ${name}`)
  const members = Object.entries(value).map(([name, member]): [string, CborValue] => {
    return [name, elementValue(member, Object.hasOwn(type.members, name) ? type.members[name] : undefined)]
  })
  return new Map(members)
}

const readers: { readonly [Type in ValueType]: (value: unknown) => CborValue } = {
  tstr(value) {
    if (typeof value !== 'string') throw invalid('text')
    return value
  },
  bstr: readBytes,
  int: (value) => readInteger(value, -(2n ** 64n)),
  uint: (value) => readInteger(value, 0n),
  bool(value) {
    // Accepts text, because default values and the claims of many providers are text. Spreadsheets write TRUE and FALSE.
    const lowerCase = typeof value === 'string' ? value.toLowerCase() : value
    if (lowerCase === true || lowerCase === 'true') return true
    if (lowerCase === false || lowerCase === 'false') return false
    throw invalid('true or false')
  },
  'full-date'(value) {
    if (!isDay(value)) throw invalid('a date such as 2001-12-31')
    return fullDate(value)
  },
  tdate(value) {
    const moment = isDay(value) ? new Date(value) : parseRfc3339(value)
    if (!moment) throw invalid('a date and time such as 2001-12-31T00:00:00Z')
    return dateTime(moment)
  },
  date: (value) => readers[isDay(value) ? 'full-date' : 'tdate'](value),
}

const dataUrl = /^data:[^,]{0,200};base64,/

/** Reads base64, base64url or a data URL, which are the usual forms of portraits. */
function readBytes(value: unknown): Buffer {
  if (typeof value !== 'string') throw invalid('base64')
  const text = value.slice(dataUrl.exec(value)?.[0].length ?? 0)
  const digits = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
  const isPadded = digits < text.length
  // Four digits are three bytes. A single last digit is invalid, and padding completes four digits.
  const hasLength = digits > 0 && digits % 4 !== 1 && (!isPadded || text.length % 4 === 0)
  const bytes = Buffer.from(text, 'base64')
  // Node skips invalid characters, so that bytes are missing, and reads the low bytes of text beyond ASCII. A regular expression takes
  // several milliseconds for a portrait.
  const hasDigits = bytes.length === Math.floor((digits * 3) / 4) && Buffer.byteLength(text) === text.length
  if (!hasLength || !hasDigits || hasBothAlphabets(text)) throw invalid('base64')
  return bytes
}

function hasBothAlphabets(text: string): boolean {
  const has = (...digits: string[]) => digits.some((digit) => text.includes(digit))
  return has('+', '/') && has('-', '_')
}

/** Reads an integer of up to 64 bits from an exact JSON number or from text. */
function readInteger(value: unknown, least: bigint): number | bigint {
  const isExact = Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value))
  // Boundary: the value is one of the two kinds above.
  const integer = isExact ? BigInt(value as number | string) : undefined
  if (integer === undefined || integer < least || integer >= 2n ** 64n) {
    throw invalid(`${least === 0n ? 'a whole number that is not negative' : 'a whole number'}, as text from 2^53 on`)
  }
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isOfCalendar(value)
}

/** Checks that a day exists, because JavaScript reads 30 February as 2 March. */
function isOfCalendar(day: string): boolean {
  const at = new Date(day)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

const rfc3339 = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** Reads an RFC 3339 date and time. Returns undefined for any other text. */
export function parseRfc3339(value: unknown): Date | undefined {
  const [text, day] = (typeof value === 'string' && rfc3339.exec(value)) || []
  if (text === undefined || day === undefined || !isOfCalendar(day)) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}

function invalid(what: string): FormatError {
  return new FormatError('invalid_element', `must be ${what}`)
}
