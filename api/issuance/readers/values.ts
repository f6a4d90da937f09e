import { isJsonObject } from '../../../shared/formats/json-object.ts'
import { elementsOf, objectOf } from './check.ts'

type Test = (value: unknown) => boolean

export const isString = (value: unknown): value is string => typeof value === 'string'
export const isFilledText: Test = (value) => isString(value) && value.trim() !== ''
export const isFilledList: Test = (value) => Array.isArray(value) && value.length > 0
export const isWhole: Test = Number.isInteger
export const isPositive: Test = (value) => Number.isInteger(value) && Number(value) > 0

export function isListOf(isFine: Test): Test {
  return (value) => Array.isArray(value) && value.every(isFine)
}

export function isFilledListOf(isFine: Test): Test {
  return (value) => isFilledList(value) && elementsOf(value).every(isFine)
}

export function ifPresent(isFine: Test): Test {
  return (value) => value === undefined || isFine(value)
}

export const isHttpsUrl: Test = (value) => isString(value) && value.startsWith('https://') && URL.canParse(value)
export const isUrl: Test = (value) => isString(value) && URL.canParse(value)
export const isEndpoint: Test = (value) => isHttpsUrl(value) && !String(value).includes('#')
export const isIssuerUrl: Test = (value) => isHttpsUrl(value) && !/[?#]/.test(String(value))
/** Some wallets accept an issuer without TLS. */
export const isPlainIssuerUrl: Test = (value) => isUrl(value) && !/[?#]/.test(String(value))

/** OpenID4VCI 1.0, appendix C: texts, indexes, and `null` for all elements of an array. */
export const isClaimPath: Test = isFilledListOf(
  (part) => isString(part) || part === null || (Number.isInteger(part) && Number(part) >= 0),
)

export function areDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length
}

/** Returns the values of an object that are objects. */
export function objectsIn(value: unknown): Record<string, unknown>[] {
  return Object.values(objectOf(value)).map(objectOf)
}

/** Returns whether each text of a display, and of its logo and background, can be read. */
export function isDisplayOf(isName: Test, isPicture: Test): Test {
  return (display) => {
    if (!isJsonObject(display) || !isName(display.name)) return false
    const pictures = [display.logo, display.background_image].filter((each) => each !== undefined)
    return pictures.every((each) => isJsonObject(each) && isPicture(each.uri))
  }
}
