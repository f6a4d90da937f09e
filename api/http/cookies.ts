import type { Headers } from './route.ts'

/** Returns the cookies by name. The last cookie of a repeated name counts. */
export function cookiesOf({ cookie }: Headers): Map<string, string> {
  const pairs = typeof cookie === 'string' ? cookie.split(';') : []
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}
