import { Problem } from '../../shared/errors/errors.ts'
import { looksSecret } from '../../shared/secrets/looks-secret.ts'
import type { Route } from './route.ts'

/** An operation of the reference, with what is compared of its path. */
interface Documented {
  method: string
  path: string
  words: string[]
  ids: number
}

const maxPathLength = 200
const maxSuggestions = 3
const minSimilarity = 0.5

/** Creates the problems of requests whose path or method matches no route. */
export function createUnknownOperation(routes: readonly Route[]): (method: string, path: string) => Problem {
  const documented = routes
    .filter(({ undocumented }) => !undocumented)
    .map(({ method, path }): Documented => {
      const names = path.split('/').filter((name) => !isParameter(name))
      const ids = path.split('/').length - names.length
      return { method, path: shownPath(path), words: wordsOf(names.join('/')), ids }
    })
  return (method, path) => {
    const isShown = path.length <= maxPathLength && !looksSecret(path)
    if (!isShown) return new Problem('not_found', { message: 'There is no operation at this path. See /docs.' })
    const similar = mostSimilar(documented, method, path)
    const suggestion = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : ''
    return new Problem('not_found', { message: `There is no operation ${method} ${path}.${suggestion} See /docs.` })
  }
}

/** The problem of a path whose routes have other methods. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Problem {
  const named = allowed.filter((each) => each !== 'HEAD').sort()
  return new Problem('method_not_allowed', { message: `${method} is not possible here. Use ${named.join(' or ')}.` })
}

const isParameter = (name: string) => /^[:*]/.test(name)

/** `/v1/users/:id` is shown as `/v1/users/{id}`, as in the reference. */
const shownPath = (path: string) => path.replaceAll(/[:*](\w+)/g, '{$1}')

/** Returns the most similar paths, those of the method first. Of paths with the same words, returns those with as many ids. */
function mostSimilar(documented: readonly Documented[], method: string, path: string): string[] {
  const words = wordsOf(path)
  const ids = path.split('/').filter((name) => /\d/.test(name) && !isVersion.test(name)).length
  const ranked = documented
    .map((each) => ({
      each,
      rank: [similarity(words, each.words), each.method === method ? 1 : 0, -Math.abs(each.ids - ids)],
    }))
    .filter(({ rank: [score = 0] }) => score >= minSimilarity)
    .sort((a, b) => compareRanks(b.rank, a.rank))
  const [best] = ranked
  const equal = ranked.filter(({ rank }) => best !== undefined && compareRanks(rank, best.rank) === 0)
  const suggestions = equal.map(({ each }) => (each.method === method ? each.path : `${each.method} ${each.path}`))
  return [...new Set(suggestions)].slice(0, maxSuggestions)
}

function compareRanks(some: readonly number[], others: readonly number[]): number {
  const at = some.findIndex((value, position) => value !== others[position])
  return at < 0 ? 0 : (some[at] ?? 0) - (others[at] ?? 0)
}

const isVersion = /^v\d$/

/** Returns the words of a path without version and ids. A plural equals its singular. */
function wordsOf(path: string): string[] {
  const words = path.toLowerCase().split(/[/.-]+/)
  return words.filter((word) => word !== '' && !/\d/.test(word)).map((word) => word.replace(/s$/, ''))
}

/** Returns the share of equal words (Dice coefficient), from 0 to 1. */
function similarity(some: readonly string[], others: readonly string[]): number {
  const rest = [...others]
  let equal = 0
  for (const word of some) {
    const at = rest.findIndex((other) => isAlmost(word, other))
    if (at < 0) continue
    rest.splice(at, 1)
    equal += 1
  }
  return some.length + others.length === 0 ? 0 : (2 * equal) / (some.length + others.length)
}

/** Whether two words are equal, except for one character that is missing, added or different. */
function isAlmost(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (one === other) return true
  if (short.length < 4 || long.length > short.length + 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  return short.slice(long.length > short.length ? at : at + 1) === long.slice(at + 1)
}
