import { isAssignedCountry } from '../iso-3166.ts'
import { startOfPicture } from './picture-start.ts'

/** The usual form of the value of an element. Another value is allowed, but probably wrong. */
export interface UsualValue {
  /** Completes "is usually". */
  readonly is: string
  /** Gets the parsed JSON of a value that has the type of the element. */
  readonly holds: (value: unknown, now: Date) => boolean
}

/** ISO/IEC 18013-5, table 5: Latin-1 characters. A blank text is a missing value. */
export const latinText: UsualValue = {
  is: 'text of Latin-1 characters that is not blank',
  holds: (value) => /^[\x20-\x7e\xa0-\xff]+$/.test(String(value)) && String(value).trim() !== '',
}

export function filledTextOfAtMost(characters: number): UsualValue {
  return {
    is: `text of 1 to ${characters} characters`,
    holds: (value) => String(value).trim() !== '' && String(value).length <= characters,
  }
}

export const assignedCountry: UsualValue = {
  is: 'an officially assigned code of ISO 3166-1',
  holds: (value) => isAssignedCountry(String(value)),
}

/** The signs of the UN conventions on road traffic, which have one to three letters. */
export const distinguishingSign: UsualValue = {
  is: 'one to three upper-case letters',
  holds: (value) => /^[A-Z]{1,3}$/.test(String(value)),
}

/** JPEG (ISO/IEC 10918), JPEG 2000 (ISO/IEC 15444-1), and a codestream of JPEG 2000 without its file format. */
const pictureStarts = ['\xff\xd8\xff', '\0\0\0\x0cjP  \r\n\x87\n', '\xff\x4f\xff\x51']

export const jpegStart: UsualValue = {
  is: 'a picture that begins like a JPEG or a JPEG 2000',
  holds: (value) => pictureStarts.some((start) => startOfPicture(value).startsWith(start)),
}

export function between(least: number, most: number): UsualValue {
  return { is: `between ${least} and ${most}`, holds: (value) => Number(value) >= least && Number(value) <= most }
}

/** The day of a birth or of an issue. Days differ between time zones by one. */
export const passedDay: UsualValue = {
  is: 'a day that has come',
  holds: (value, now) => timeOf(value) <= now.getTime() + dayMs,
}

export const dayToCome: UsualValue = {
  is: 'a day to come',
  holds: (value, now) => timeOf(value) >= now.getTime() - dayMs,
}

const dayMs = 86_400_000
const longestLifeMs = 130 * 365.25 * dayMs

export const birthday: UsualValue = {
  is: 'a day of the last 130 years',
  holds: (value, now) => passedDay.holds(value, now) && timeOf(value) >= now.getTime() - longestLifeMs,
}

/** The categories of ISO/IEC 18013-1, annex B. */
const vehicleCategories = new Set('AM A1 A2 A B1 B BE C1 C1E C CE D1 D1E D DE'.split(' '))
const signs = new Set(['=', '<', '>', '<=', '>=', '≤', '≥'])

export const knownPrivileges: UsualValue = {
  is: 'privileges with vehicle categories of ISO/IEC 18013-1, such as B or C1E, and codes with a sign such as =',
  holds: (value) => !Array.isArray(value) || value.every((each) => isKnownPrivilege(Object(each))),
}

function isKnownPrivilege({ vehicle_category_code: category, codes }: Record<string, unknown>): boolean {
  const isKnown = vehicleCategories.has(String(category))
  return isKnown && (!Array.isArray(codes) || codes.every((each) => isKnownCode(Object(each))))
}

function isKnownCode({ code, sign }: Record<string, unknown>): boolean {
  return String(code).trim() !== '' && (sign === undefined || signs.has(String(sign)))
}

/** Returns milliseconds since 1970. NaN for a value that is no date, which is neither before nor after a time. */
function timeOf(value: unknown): number {
  return Date.parse(String(value))
}
