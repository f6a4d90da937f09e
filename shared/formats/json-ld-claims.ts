/**
 * Paths of the claims that a JSON-LD proof would not cover or that JSON-LD would read as something else: null and empty
 * arrays (RDF has no statement for them), keywords, names that make no IRI, an `id` that is none, a `type` that is no name;
 * and the first value that is one too many to canonicalise. Everything else is carried by the vocabulary of the credential.
 * `claims` is parsed JSON.
 */
export function findUnsignableClaims(claims: Readonly<Record<string, unknown>>): string[] {
  const inspection: Inspection = { found: [], values: 0 }
  for (const [name, value] of Object.entries(claims)) inspectMember(name, value, name, inspection, 1)
  return inspection.found
}

interface Inspection {
  readonly found: string[]
  /** How many there were so far inside of claims, objects and arrays among them. */
  values: number
}

// Canonicalising takes the square of their number: seconds at ten thousand, in which nothing else is signed.
const mostValues = 2000
// Deeper claims are refused rather than followed: JSON-LD processing is recursive.
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
  if (depth > 1 && ++inspection.values > mostValues) {
    if (inspection.values === mostValues + 1) found.push(path)
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

/** `proof` is the one plain name that credentials/v1 gives a meaning everywhere; the JSON-LD library loses `__proto__`. */
function isSignableName(name: string): boolean {
  return typeName.test(name) && name.isWellFormed() && name !== 'proof' && name !== '__proto__'
}
