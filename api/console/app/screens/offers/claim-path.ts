/** `.name`, `['any text']` or `["any text"]`, as a mapping's `mapFrom` has them. */
const segment = /\.([^.[\]'"\\\s]+)|\['((?:[^'\\]|\\.)+)'\]|\["((?:[^"\\]|\\.)+)"\]/gu

/** Returns the path in a person's claims that a mapping reads. Returns undefined if the mapping reads another source. */
export function claimPathOf(mapFrom: string | undefined): string[] | undefined {
  if (mapFrom === undefined || !/^claims[.[]/.test(mapFrom)) return undefined
  return [...mapFrom.slice('claims'.length).matchAll(segment)].map(
    ([, plain, single, double]) => plain ?? (single ?? double ?? '').replace(/\\(.)/gu, '$1'),
  )
}

/** Sets a value at a path and creates missing objects. Creates own properties only, because a claim may have any name. */
export function putAt(object: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  const define = (next: unknown) =>
    Object.defineProperty(object, first, { value: next, enumerable: true, writable: true, configurable: true })
  if (rest.length === 0) {
    define(value)
    return
  }
  const before = Object.hasOwn(object, first) ? object[first] : undefined
  const inner = isRecord(before) ? before : {}
  define(inner)
  putAt(inner, rest, value)
}

/** Returns whether an object has a value at a path. */
export function hasAt(object: unknown, path: readonly string[]): boolean {
  const [first, ...rest] = path
  if (first === undefined) return object !== undefined && object !== null && object !== ''
  return isRecord(object) && Object.hasOwn(object, first) && hasAt(object[first], rest)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
