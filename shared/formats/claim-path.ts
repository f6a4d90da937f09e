/** The source of a claim's value: a member of the user's claims, or of the user's identity at the provider. */
export interface ClaimPath {
  source: 'claims' | 'authenticationProvider'
  path: string[]
}

/** A path that can go through lists of the claims. Null stands for each element of a list. */
export interface ListPath {
  source: ClaimPath['source']
  path: (string | null)[]
}

const maxLength = 500
const maxSegments = 16
const providerMembers = ['subjectId', 'url']

const source = /^(claims|authenticationProvider)(?=[.[])/
/** `.name`, `['any text']`, `["any text"]` or `[]`. Inside the quotes, a backslash escapes the next character. */
const segment = /\.([^.[\]'"\\\s]+)|\['((?:[^'\\]|\\.)+)'\]|\["((?:[^"\\]|\\.)+)"\]|(\[\])/uy

/** Parses `claims.address.locality`, `claims['https://x/y']`, `authenticationProvider.subjectId`. Returns undefined for any other text. */
export function parseClaimPath(text: string): ClaimPath | undefined {
  const parsed = parseListPath(text)
  return parsed && hasNoList(parsed) ? parsed : undefined
}

/** Parses the same paths, and paths through lists of the claims: `claims.degrees[].type`. Returns undefined for any other text. */
export function parseListPath(text: string): ListPath | undefined {
  const start = source.exec(text)?.[1]
  if (!start || text.length > maxLength) return undefined
  const path = parseSegments(text, start.length)
  if (!path || path.length > maxSegments) return undefined
  if (start === 'claims') return { source: 'claims', path }
  const isMember = path.length === 1 && providerMembers.some((member) => member === path[0])
  return isMember ? { source: 'authenticationProvider', path } : undefined
}

function hasNoList(parsed: ListPath): parsed is ClaimPath {
  return !parsed.path.includes(null)
}

/** Reads the value at `path`, through own properties of objects only. Returns undefined if there is none. */
export function readPath(value: unknown, path: readonly string[]): unknown {
  let node = value
  for (const name of path) {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined
    if (!Object.hasOwn(node, name)) return undefined
    node = Reflect.get(node, name)
  }
  return node
}

/** Writes a value at `path` in `object`, and creates missing objects on the path. */
export function writePath(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let target = object
  for (const name of path.slice(0, -1)) {
    // Only own members count, so that `constructor` is an ordinary name. The JSON parser refuses `__proto__`.
    if (!Object.hasOwn(target, name)) target[name] = {}
    // Boundary: only this function writes into `object`.
    target = target[name] as Record<string, unknown>
  }
  const last = path.at(-1)
  if (last !== undefined) target[last] = value
}

function parseSegments(text: string, from: number): (string | null)[] | undefined {
  const path: (string | null)[] = []
  segment.lastIndex = from
  for (let end = from; end < text.length; end = segment.lastIndex) {
    const [, plain, single, double, list] = segment.exec(text) ?? []
    const name = plain ?? (single ?? double)?.replace(/\\(.)/gu, '$1')
    if (name === undefined && list === undefined) return undefined
    path.push(name ?? null)
  }
  return path
}

const maxShownCharacters = 200

/** Returns a path for a message, or the beginning of a long one: the names in values have any length. */
export function shownPath(path: string): string {
  return path.length > maxShownCharacters ? `${path.slice(0, maxShownCharacters).toWellFormed()}...` : path
}
