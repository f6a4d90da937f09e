/**
 * Returns the paths of claims that a JSON-LD proof would not cover, or that JSON-LD would read differently: null and empty arrays (RDF
 * has no statement for them), keywords, names that form no IRI, an `id` that is not an IRI, and a `type` that is not a name. Also
 * returns the path of the first value beyond the limit. `claims` is parsed JSON.
 */
export function findUnsignableClaims(claims: Readonly<Record<string, unknown>>): string[] {
  const inspection: Inspection = { found: [], values: 0 }
  for (const [name, value] of Object.entries(claims)) inspectMember(name, value, name, inspection, 1)
  return inspection.found
}

interface Inspection {
  readonly found: string[]
  /** Number of values inside claims so far, including objects and arrays. */
  values: number
}

// Canonicalisation takes quadratic time: seconds for 10,000 values, which block all other signatures.
const maxValues = 2000
// Deeper claims are refused, because JSON-LD processing is recursive.
const maxDepth = 64
const absoluteIri = /^[A-Za-z][A-Za-z0-9+.-]*:\S*$/
const typeName = /^(?!@|_:)\S+$/

function inspectMember(name: string, value: unknown, path: string, inspection: Inspection, depth: number): void {
  const { found } = inspection
  if (!isSignableName(name)) found.push(path)
  else if (name === 'id') inspectText(value, absoluteIri, path, found)
  else if (name === 'type' && Array.isArray(value)) for (const item of value) inspectText(item, typeName, path, found)
  else if (name === 'type') inspectText(value, typeName, path, found)
  else inspectValue(value, path, inspection, depth)
}

function inspectValue(value: unknown, path: string, inspection: Inspection, depth: number): void {
  const { found } = inspection
  if (depth > 1 && ++inspection.values > maxValues) {
    if (inspection.values === maxValues + 1) found.push(path)
    return
  }
  if (typeof value === 'string') inspectText(value, undefined, path, found)
  else if (value === null || depth > maxDepth || (Array.isArray(value) && value.length === 0)) found.push(path)
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inspectValue(item, `${path}[${index}]`, inspection, depth + 1)
  } else if (typeof value === 'object') {
    for (const [name, item] of Object.entries(value))
      inspectMember(name, item, `${path}.${name}`, inspection, depth + 1)
  }
}

function inspectText(value: unknown, pattern: RegExp | undefined, path: string, found: string[]): void {
  const sound = typeof value === 'string' && value.isWellFormed() && (!pattern || pattern.test(value))
  if (!sound) found.push(path)
}

/** Refuses `proof`, the only plain name that credentials/v1 defines everywhere, and `__proto__`, which the JSON-LD library drops. */
function isSignableName(name: string): boolean {
  return typeName.test(name) && name.isWellFormed() && name !== 'proof' && name !== '__proto__'
}
