import { createHash, type Hash, hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Claims } from '../../tables/issuance/users.ts'

/**
 * The index terms of claims: one for every leaf (a primitive or an array, with its path) and one for every object, which
 * says only that there is one. A term is 96 bits of a hash. Two values may share one, so a match is always looked at. Many terms are made in
 * batches, between which the process answers others.
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

/** How many terms are made, written or deleted before the process answers others. */
export const termBatch = 250

/** How many values and objects of a user's claims can be indexed. It bounds how long a write of them takes. */
export const mostIndexedClaims = 10_000

/** How many terms the claims have at most, without making them. */
export function countIndexed(claims: Claims): number {
  let count = 0
  for (const value of Object.values(claims)) count += isObject(value) ? 1 + countIndexed(value) : 1
  return count
}

/** The fewest terms that every user with these claims has: the leaves, and the objects of which nothing more is asked. */
export function termsOfCriteria(claims: Claims): Set<string> {
  return new Set(termsIn(claims, { text: '' }, false))
}

/** The terms of the provider that a user signs in at, and of its name there. */
export function termsOfProvider({
  providerId,
  subjectId,
}: { [name in 'providerId' | 'subjectId']?: string | undefined }) {
  return [
    ...(providerId === undefined ? [] : [termOf(`providerId ${providerId}`)]),
    ...(subjectId === undefined ? [] : [termOf(`subjectId ${subjectId}`)]),
  ]
}

/** True when `claims` has every member of `wanted`: objects member by member, arrays and primitives equal. */
export function hasClaims(claims: Claims, wanted: Claims): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    if (!Object.hasOwn(claims, name)) return false
    const own = claims[name]
    return isObject(value) ? isObject(own) && hasClaims(own, value) : isEqual(own, value)
  })
}

/** Where a claim stands: the hash of how the path begins, where that is long, and the text of the rest. */
interface Place {
  begun?: Hash
  text: string
}

function* termsIn(object: Claims, { begun, text }: Place, everyObject: boolean): Generator<string> {
  for (const [name, value] of Object.entries(object)) {
    const at = `${text}/${JSON.stringify(name)}`
    if (!isObject(value)) {
      yield termOf(`${at} = ${canonical(value)}`, begun)
      continue
    }
    if (everyObject || Object.keys(value).length === 0) yield termOf(`${at} is an object`, begun)
    yield* termsIn(value, placeOf(at, begun), everyObject)
  }
}

/** A long name would otherwise be hashed again for every claim below it. */
const longText = 500

function placeOf(text: string, begun: Hash | undefined): Place {
  if (text.length <= longText) return begun ? { begun, text } : { text }
  return { begun: (begun?.copy() ?? createHash('sha256')).update(text), text: '' }
}

function termOf(text: string, begun?: Hash): string {
  const digest = begun ? begun.copy().update(text).digest('base64url') : hash('sha256', text, 'base64url')
  return digest.slice(0, 16)
}

/** JSON with the members of objects in order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => isEqual(each, b[i]))
  if (!isObject(a) || !isObject(b)) return a === b
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  )
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
