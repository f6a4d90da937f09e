import { isJsonObject } from '../json-object.ts'
import { parseRfc3339 } from '../mdoc/element-types.ts'

/** The JSON type of a claim. `date` and `date-time` are texts (RFC 3339, section 5.6). */
export const claimTypes = ['string', 'integer', 'number', 'boolean', 'date', 'date-time', 'object', 'array'] as const
export type ClaimType = (typeof claimTypes)[number]

/** The requirement of each type, as in "must be a text". */
export const typeRequirements: Readonly<Record<ClaimType, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2001-12-31',
  'date-time': 'a date and time such as 2001-12-31T00:00:00Z',
  object: 'an object',
  array: 'an array',
}

const isOf: Readonly<Record<ClaimType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && parseRfc3339(`${value}T00:00:00Z`) !== undefined,
  'date-time': (value) => parseRfc3339(value) !== undefined,
  object: (value) => isJsonObject(value),
  array: (value) => Array.isArray(value),
}

/** Whether a JSON value has the type. */
export function isOfType(value: unknown, type: ClaimType): boolean {
  return isOf[type](value)
}

/** Returns the requirement of a type for a value that does not have it. */
export function requirementFor(value: unknown, type: ClaimType): string {
  const requirement = typeRequirements[type]
  return type === 'number' && typeof value === 'string' && decimalComma.test(value)
    ? `${requirement} with a decimal point, such as 1.5. It has a comma`
    : requirement
}

const decimalComma = /^-?\d+(\.\d{3})*,\d+$/u
const decimal = /^-?\d{1,16}(\.\d{1,16})?$/u

/** Spreadsheets write TRUE and FALSE. It has no prototype, so each text is only a text. */
const textOfBoolean: Readonly<Record<string, boolean>> = Object.assign(Object.create(null), {
  true: true,
  false: false,
})

/**
 * Converts a text to the type of the claim, because default values and the claims of many providers are texts. Returns the value as it
 * is if it is not such a text.
 */
export function convertText(value: unknown, type: ClaimType | undefined): unknown {
  if (typeof value !== 'string') return value
  if (type === 'boolean') return textOfBoolean[value.toLowerCase()] ?? value
  if ((type === 'integer' || type === 'number') && decimal.test(value)) return Number(value)
  return value
}
