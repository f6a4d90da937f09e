import { shownPath } from './claim-path.ts'

/** A claim that a JSON-LD proof would not cover, or that JSON-LD would read differently. */
export interface UnsignableClaim {
  /** The name of the outermost claim. */
  name: string
  /** The path of the wrong value, such as `address.lines[0]`. Only the beginning of a long path. */
  path: string
  /** Completes "The claim ...", such as "must not be null". Never contains the value. */
  why: string
}

/**
 * Returns the claims that cannot be signed: null and empty lists (RDF has no statement for them), keywords, names that form no IRI, an `id`
 * that is not an IRI, and a `type` that is not a name. Also returns the first value beyond the limit. Stops after 20 faults. `claims` is
 * parsed JSON.
 */
export function findUnsignableClaims(claims: Readonly<Record<string, unknown>>): UnsignableClaim[] {
  const inspection: Inspection = { faults: [], claim: '', values: 0 }
  for (const [name, value] of Object.entries(claims)) {
    inspection.claim = name
    inspectMember(name, value, name, inspection, 1)
  }
  return inspection.faults
}

/** Returns whether JSON values have more than `maxValues` values inside together, including objects and arrays. */
export function hasTooManyValues(values: readonly unknown[]): boolean {
  const waiting = [...values]
  let count = 0
  for (const value of waiting) {
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    count += inner.length
    if (count > maxValues) return true
    waiting.push(...inner)
  }
  return false
}

interface Inspection {
  readonly faults: UnsignableClaim[]
  /** The name of the outermost claim that is inspected. */
  claim: string
  /** Number of values inside claims so far, including objects and arrays. */
  values: number
}

const maxFaults = 20
// Canonicalisation takes quadratic time: seconds for 10,000 values, which block all other signatures.
export const maxValues = 2000
// Deeper claims are refused, because JSON-LD processing is recursive.
const maxDepth = 64
const absoluteIri = /^[A-Za-z][A-Za-z0-9+.-]*:\S*$/
const typeName = /^(?!@|_:)\S+$/

function refuse({ faults, claim }: Inspection, path: string, why: string): void {
  faults.push({ name: claim, path: shownPath(path), why })
}

function isFull({ faults }: Inspection): boolean {
  return faults.length >= maxFaults
}

function inspectMember(name: string, value: unknown, path: string, inspection: Inspection, depth: number): void {
  if (isFull(inspection)) return
  const why = whyUnsignableName(name)
  if (why !== undefined) refuse(inspection, path, why)
  else if (name === 'id') inspectText(value, id, path, inspection)
  else if (name === 'type' && Array.isArray(value)) for (const item of value) inspectText(item, type, path, inspection)
  else if (name === 'type') inspectText(value, type, path, inspection)
  else inspectValue(value, path, inspection, depth)
}

function inspectValue(value: unknown, path: string, inspection: Inspection, depth: number): void {
  if (isFull(inspection)) return
  if (depth > 1 && ++inspection.values > maxValues) {
    if (inspection.values === maxValues + 1) refuse(inspection, path, `is beyond the limit of ${maxValues} values`)
    return
  }
  const why = whyUnsignable(value, depth)
  if (why !== undefined) refuse(inspection, path, why)
  else if (typeof value === 'string') inspectText(value, text, path, inspection)
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inspectValue(item, `${path}[${index}]`, inspection, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value))
      inspectMember(name, item, `${path}.${name}`, inspection, depth + 1)
  }
}

function whyUnsignable(value: unknown, depth: number): string | undefined {
  if (value === null) return 'must not be null'
  if (Array.isArray(value) && value.length === 0) return 'must not be an empty list'
  return depth > maxDepth && typeof value !== 'string' ? `must have at most ${maxDepth} levels` : undefined
}

interface TextRule {
  /** Completes "must be". */
  must: string
  pattern?: RegExp
}

const text: TextRule = { must: 'well-formed Unicode' }
const id: TextRule = { must: 'an IRI such as urn:example:1', pattern: absoluteIri }
const type: TextRule = { must: 'the name of a type, without white space', pattern: typeName }

function inspectText(value: unknown, { must, pattern }: TextRule, path: string, inspection: Inspection): void {
  if (isFull(inspection)) return
  const isSound = typeof value === 'string' && value.isWellFormed() && (!pattern || pattern.test(value))
  if (!isSound) refuse(inspection, path, `must be ${must}`)
}

/** `proof` is the only plain name that credentials/v1 defines everywhere. The JSON-LD library drops `__proto__`. */
function whyUnsignableName(name: string): string | undefined {
  if (name === '') return 'must have a name that is not empty'
  if (name === 'proof' || name === '__proto__') return `must have another name than ${name}`
  if (!name.isWellFormed()) return 'must have a name of well-formed Unicode'
  const [space] = /\s/.exec(name) ?? []
  if (space !== undefined) return `must have a name without ${JSON.stringify(space)}`
  return typeName.test(name) ? undefined : 'must have a name that does not begin with @ or _:'
}
