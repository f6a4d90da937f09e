/** `.name`, `['any text']` or `["any text"]`, as a mapping's `mapFrom` has them. */
const segment = /\.([^.[\]'"\\\s]+)|\['((?:[^'\\]|\\.)+)'\]|\["((?:[^"\\]|\\.)+)"\]/gu

/** Where in the claims of a person a mapping reads; undefined where it reads elsewhere. */
export function claimPathOf(mapFrom: string | undefined): string[] | undefined {
  if (mapFrom === undefined || !/^claims[.[]/.test(mapFrom)) return undefined
  return [...mapFrom.slice('claims'.length).matchAll(segment)].map(
    ([, plain, single, double]) => plain ?? (single ?? double ?? '').replace(/\\(.)/gu, '$1'),
  )
}

/** Puts a value at a path, in objects that are made where there are none. Only own properties are made: a claim may have any name. */
export function putAt(object: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  const define = (made: unknown) =>
    Object.defineProperty(object, first, { value: made, enumerable: true, writable: true, configurable: true })
  if (rest.length === 0) {
    define(value)
    return
  }
  const before = Object.hasOwn(object, first) ? object[first] : undefined
  const inner = isRecord(before) ? before : {}
  define(inner)
  putAt(inner, rest, value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
