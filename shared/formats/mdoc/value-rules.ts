import { startOfPicture } from './picture-start.ts'

/** A rule of a standard for the value of an element, beyond its type. */
export interface ValueRule {
  /** Completes "must be". */
  readonly must: string
  /** A value that the rule allows. */
  readonly example?: string
  /** Gets the parsed JSON of a value that has the type of the element. */
  readonly allows: (value: unknown) => boolean
}

/** A rule of a standard for two elements of a namespace. It holds if one of them has no value. */
export interface ElementRelation {
  readonly element: string
  readonly other: string
  /** Completes "The claim <element> must be". */
  readonly must: string
  readonly holds: (value: unknown, other: unknown) => boolean
}

/** Texts, or the decimal digits of numbers. */
export function oneOfTexts(...allowed: [string, ...string[]]): ValueRule {
  return {
    must: `one of ${allowed.join(', ')}`,
    example: allowed[0],
    allows: (value) => allowed.includes(String(value)),
  }
}

/** Counts characters of Unicode, not UTF-16 units. */
export function textOfAtMost(characters: number): ValueRule {
  return {
    must: `text of at most ${characters} characters`,
    // A character has at most two units, so that the loop over characters has a limit.
    allows: (value) => String(value).length <= 2 * characters && [...String(value)].length <= characters,
  }
}

function textLike(pattern: RegExp, must: string, example: string): ValueRule {
  return { must, example, allows: (value) => pattern.test(String(value)) }
}

export const country = textLike(/^[A-Z]{2}$/, 'two upper-case letters (ISO 3166-1)', 'NZ')
export const countryOfTwoOrThree = textLike(/^[A-Z]{2,3}$/, 'two or three upper-case letters (ISO 3166-1)', 'NZ')
export const subdivision = textLike(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'a code such as NZ-WGN (ISO 3166-2)', 'NZ-WGN')

/** The bytes with which pictures and documents of other formats begin, in Latin-1. */
const otherFormats = [
  /^\x89PNG/,
  /^GIF8/,
  /^RIFF.{4}WEBP/s,
  /^BM.{4}\0\0\0\0/s,
  /^(?:II\*\0|MM\0\*)/,
  /^.{4}ftyp(?:avif|heic|heix|mif1)/s,
  /^%PDF/,
  /^\s*<(?:\?xml|svg)/i,
]

/** Bytes of an unknown kind are allowed: only a format that is certainly another one is not. */
export const jpeg: ValueRule = {
  must: 'a JPEG or JPEG 2000 picture',
  allows(value) {
    const start = startOfPicture(value)
    return !otherFormats.some((format) => format.test(start))
  },
}

/** Compares days. A date without a time is the whole day. */
export function onOrAfter(element: string, other: string): ElementRelation {
  return { element, other, must: `on or after ${other}`, holds: isOnOrAfter }
}

/** Each entry of `driving_privileges` ends on or after the day on which it was issued. */
export const privilegesInOrder: ValueRule = {
  must: 'privileges whose expiry_date is on or after their issue_date',
  allows: (value) =>
    !Array.isArray(value) || value.every(({ issue_date, expiry_date }) => isOnOrAfter(expiry_date, issue_date)),
}

export const inIssuingCountry: ElementRelation = {
  element: 'issuing_jurisdiction',
  other: 'issuing_country',
  must: 'a jurisdiction of issuing_country',
  holds: (jurisdiction, issuingCountry) => String(jurisdiction).startsWith(`${issuingCountry}-`),
}

function isOnOrAfter(value: unknown, other: unknown): boolean {
  const [day, otherDay] = [dayOf(value), dayOf(other)]
  return day === undefined || otherDay === undefined || day >= otherDay
}

/** Returns the day of a date, or of a date and time in UTC. */
function dayOf(value: unknown): string | undefined {
  const at = typeof value === 'string' ? new Date(value) : undefined
  return at && !Number.isNaN(at.getTime()) ? at.toISOString().slice(0, 10) : undefined
}
