import { createHash, type Hash, hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import type { Claims } from '../../../tables/issuance/users.ts'

/**
 * Computes the index terms of claims: one for each leaf (a primitive or an array, with its path), and one for each
 * object. A term is 96 bits of a hash. Two values may share a term, so a search compares the claims as well. Many terms
 * are computed in batches, and the event loop runs between them.
 */
export async function termsOfClaims(claims: Claims): Promise<Set<string>> {
  const terms = new Set<string>()
  let made = 0
  for (const term of termsIn(claims, { text: '' }, true)) {
    terms.add(term)
    if (++made % termBatch === 0) await setImmediate()
  }
  return terms
}

/** The number of terms that are computed, written or deleted before the event loop runs. */
export const termBatch = 250

/** The maximum number of values and objects in the claims of a user. It limits the duration of a write. */
export const maxIndexedClaims = 10_000

/** Returns the maximum number of terms of the claims, without computing them. */
export function countIndexed(claims: Claims): number {
  let count = 0
  for (const value of Object.values(claims)) count += isJsonObject(value) ? 1 + countIndexed(value) : 1
  return count
}

/** Returns the terms that each user with these claims has: those of the leaves and of empty objects. */
export function termsOfCriteria(claims: Claims): Set<string> {
  return new Set(termsIn(claims, { text: '' }, false))
}

/** Returns the terms of the provider at which a user signs in, and of the subject there. */
export function termsOfProvider({
  providerId,
  subjectId,
}: { [name in 'providerId' | 'subjectId']?: string | undefined }) {
  return [
    ...(providerId === undefined ? [] : [termOf(`providerId ${providerId}`)]),
    ...(subjectId === undefined ? [] : [termOf(`subjectId ${subjectId}`)]),
  ]
}

/** Returns true if `claims` has each member of `wanted`. Objects match by member, arrays and primitives if equal. */
export function hasClaims(claims: Claims, required: Claims): boolean {
  return Object.entries(required).every(([name, value]) => {
    if (!Object.hasOwn(claims, name)) return false
    const own = claims[name]
    return isJsonObject(value) ? isJsonObject(own) && hasClaims(own, value) : isEqual(own, value)
  })
}

/** The path of a claim. The beginning of a long path is hashed, `text` is the rest. */
interface ClaimPath {
  begun?: Hash
  text: string
}

function* termsIn(object: Claims, { begun, text }: ClaimPath, everyObject: boolean): Generator<string> {
  for (const [name, value] of Object.entries(object)) {
    const at = `${text}/${JSON.stringify(name)}`
    if (!isJsonObject(value)) {
      yield termOf(`${at} = ${canonical(value)}`, begun)
      continue
    }
    if (everyObject || Object.keys(value).length === 0) yield termOf(`${at} is an object`, begun)
    yield* termsIn(value, pathOf(at, begun), everyObject)
  }
}

/** Above this length a path is hashed once for all claims below it. */
const longText = 500

function pathOf(text: string, begun: Hash | undefined): ClaimPath {
  if (text.length <= longText) return begun ? { begun, text } : { text }
  return { begun: (begun?.copy() ?? createHash('sha256')).update(text), text: '' }
}

function termOf(text: string, begun?: Hash): string {
  const digest = begun ? begun.copy().update(text).digest('base64url') : hash('sha256', text, 'base64url')
  return digest.slice(0, 16)
}

/** Returns JSON with the members of objects sorted by name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => isEqual(each, b[i]))
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  )
}
