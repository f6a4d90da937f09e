/** Where a claim's value comes from: a member of the user's claims, or of the user's identity at the provider. */
export interface ClaimPath {
  source: 'claims' | 'authenticationProvider'
  path: string[]
}

const longest = 500
const mostSegments = 16
const providerMembers = ['subjectId', 'url']

const source = /^(claims|authenticationProvider)(?=[.[])/
/** `.name`, `['any text']` or `["any text"]`; inside the quotes a backslash takes the next character as it is. */
const segment = /\.([^.[\]'"\\\s]+)|\['((?:[^'\\]|\\.)+)'\]|\["((?:[^"\\]|\\.)+)"\]/uy

/** Parses `claims.address.locality`, `claims['https://x/y']`, `authenticationProvider.subjectId`; undefined if it is none. */
export function parseClaimPath(text: string): ClaimPath | undefined {
  const start = source.exec(text)?.[1]
  if (!start || text.length > longest) return undefined
  const path = parseSegments(text, start.length)
  if (!path || path.length > mostSegments) return undefined
  if (start === 'claims') return { source: 'claims', path }
  const isMember = path.length === 1 && providerMembers.some((member) => member === path[0])
  return isMember ? { source: 'authenticationProvider', path } : undefined
}

/** What stands at `path` inside `value`, by own properties of objects alone; undefined where there is nothing. */
export function readPath(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined
    if (!Object.hasOwn(found, name)) return undefined
    found = Reflect.get(found, name)
  }
  return found
}

/** Puts a value at `path` inside `object`, in objects that are made where there are none. */
export function writePath(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let place = object
  for (const name of path.slice(0, -1)) {
    // Own members alone: `constructor` is a name like any other. `__proto__` is refused where JSON is parsed.
    if (!Object.hasOwn(place, name)) place[name] = {}
    // Boundary: nothing but this function writes inside of `object`.
    place = place[name] as Record<string, unknown>
  }
  const last = path.at(-1)
  if (last !== undefined) place[last] = value
}

function parseSegments(text: string, from: number): string[] | undefined {
  const path: string[] = []
  segment.lastIndex = from
  for (let end = from; end < text.length; end = segment.lastIndex) {
    const [, plain, single, double] = segment.exec(text) ?? []
    const name = plain ?? (single ?? double)?.replace(/\\(.)/gu, '$1')
    if (name === undefined) return undefined
    path.push(name)
  }
  return path
}
