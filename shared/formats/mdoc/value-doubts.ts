import { FormatError } from '../format-error.ts'
import { profilesOfNamespaces, standardTypeOf } from './doc-types.ts'
import { elementValue } from './element-types.ts'

/** A value that is allowed, but probably wrong. */
export interface ValueDoubt {
  /** The namespace and the element. */
  path: [string, string]
  /** Completes the name of the claim, and never contains the value. */
  why: string
}

/**
 * Returns the values that the standard of the document type allows, and that are unusual at the time `now`. Values that do not have the types
 * of their elements are left out.
 */
export function findValueDoubts(docType: string, claims: Readonly<Record<string, unknown>>, now: Date): ValueDoubt[] {
  return profilesOfNamespaces(docType).flatMap(([namespace, { usual = {} }]) => {
    // Boundary: the claims of a mobile configuration are objects by namespace, like its mappings.
    const values = Object.entries(
      (Object.hasOwn(claims, namespace) ? claims[namespace] : {}) as Record<string, unknown>,
    )
    const elements = new Map(values.filter(([element, value]) => hasStandardType(docType, namespace, element, value)))
    const unusual = [...elements].flatMap(([element, value]): ValueDoubt[] => {
      const rule = Object.hasOwn(usual, element) ? usual[element] : undefined
      return !rule || rule.holds(value, now) ? [] : [{ path: [namespace, element], why: `is usually ${rule.is}` }]
    })
    const contradicting = [...elements].filter(([element, value]) =>
      contradictsBirth(element, value, elements.get('birth_date'), now),
    )
    const why = 'contradicts birth_date'
    return [...unusual, ...contradicting.map(([element]): ValueDoubt => ({ path: [namespace, element], why }))]
  })
}

/** Whether the standard has a type for the element, and the value has it. */
function hasStandardType(docType: string, namespace: string, element: string, value: unknown): boolean {
  const type = standardTypeOf(docType, namespace, element)
  if (type === undefined) return false
  try {
    elementValue(value, type)
    return true
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

/** Whether an age is not that of a person who was born on this day. Days differ between time zones, so that a birthday today fits both. */
function contradictsBirth(element: string, value: unknown, birthDate: unknown, now: Date): boolean {
  const ages = agesOf(birthDate, now)
  if (!ages) return false
  if (element === 'age_in_years') return Number(value) < ages.least || Number(value) > ages.most
  const [, limit] = /^age_over_(\d\d)$/.exec(element) ?? []
  if (limit === undefined) return false
  return String(value).toLowerCase() === 'true' ? ages.most < Number(limit) : ages.least >= Number(limit)
}

const dayMs = 86_400_000

/** Returns the age of a person yesterday and tomorrow. */
function agesOf(birthDate: unknown, now: Date): { least: number; most: number } | undefined {
  const born = typeof birthDate === 'string' ? new Date(birthDate) : undefined
  if (!born || Number.isNaN(born.getTime())) return undefined
  const ageAt = (at: Date) => {
    const isBefore = at.toISOString().slice(5, 10) < born.toISOString().slice(5, 10)
    return at.getUTCFullYear() - born.getUTCFullYear() - (isBefore ? 1 : 0)
  }
  return { least: ageAt(new Date(now.getTime() - dayMs)), most: ageAt(new Date(now.getTime() + dayMs)) }
}
