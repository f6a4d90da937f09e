import { isReservedContext, knownContexts } from './json-ld-contexts.ts'

/** JSON-LD contexts of one tenant by URL. `findContextFault` accepted them. */
export type OwnContexts = ReadonlyMap<string, Readonly<Record<string, unknown>>>

export const noOwnContexts: OwnContexts = new Map()

/**
 * Replaces the URLs of a tenant's contexts in a document by the contexts themselves. The statements stay the same. A library then needs
 * only the contexts of the service, and caches the tenant's contexts by content and not by URL.
 */
export function withOwnContexts<Document extends { readonly '@context': unknown }>(
  document: Document,
  own: OwnContexts,
): Document {
  if (own.size === 0) return document
  const named: unknown[] = [document['@context']].flat()
  const inlined = named.flatMap((each) => {
    const context = typeof each === 'string' ? own.get(each)?.['@context'] : undefined
    return context === undefined ? [each] : [context].flat()
  })
  return { ...document, '@context': inlined }
}

/** JSON-LD processing refuses deeper documents. */
const maxDocumentDepth = 64

/** Returns the URLs of all contexts in a document, which can be external. */
export function contextUrlsIn(document: Readonly<Record<string, unknown>>): string[] {
  const urls = new Set<string>()
  mapContexts(document, (context) => {
    for (const each of [context].flat()) if (typeof each === 'string') urls.add(each)
    return context
  })
  return [...urls]
}

/** Does the same as `withOwnContexts` at any depth: a presentation contains the contexts of its credentials. */
export function withOwnContextsInside(
  document: Readonly<Record<string, unknown>>,
  own: OwnContexts,
): Readonly<Record<string, unknown>> {
  if (own.size === 0) return document
  return mapContexts(document, (context) => withOwnContexts({ '@context': context }, own)['@context'])
}

function mapContexts(
  members: Readonly<Record<string, unknown>>,
  change: (context: unknown) => unknown,
  depth = 1,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      name === '@context' ? change(value) : mapInside(value, change, depth),
    ]),
  )
}

function mapInside(value: unknown, change: (context: unknown) => unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDocumentDepth) return value
  if (Array.isArray(value)) return value.map((each) => mapInside(each, change, depth + 1))
  return mapContexts({ ...value }, change, depth + 1)
}

/** At these limits, processing takes about 60 ms. A context inside a term copies all terms around it. */
const maxTerms = 1_000
/** Limits the contexts inside terms and in lists. */
const maxContexts = 50
const maxReferences = 3
const maxDepth = 10

/** Applies the limits to several contexts together, because processing them takes as long as one large context. */
export function findCombinedContextFault(own: OwnContexts): string | undefined {
  return findContextFault({ '@context': [...own.values()].map((document) => document['@context']) })
}

interface Counts {
  terms: number
  contexts: number
  references: number
}

/**
 * Returns the fault of a tenant's context as a predicate, or undefined. An accepted context is small enough to be processed quickly. It
 * refers only to contexts of the service, so that there are no cycles. It has no names with a special meaning in JavaScript.
 */
export function findContextFault(document: Readonly<Record<string, unknown>>): string | undefined {
  if (!('@context' in document)) return 'must have a member `@context`'
  return faultIn(document['@context'], { terms: 0, contexts: 0, references: 0 }, 1)
}

function faultIn(context: unknown, counts: Counts, depth: number): string | undefined {
  if (depth > maxDepth) return `must not have contexts in more than ${maxDepth} levels`
  if (Array.isArray(context)) return first(context, (each) => faultIn(each, counts, depth))
  if (typeof context === 'string') return referenceFault(context, counts)
  if (typeof context !== 'object') return 'must be made of objects, and URLs of contexts that the service knows'
  if (context === null) return 'must not undo the contexts before it with null'
  if (++counts.contexts > maxContexts) return `must not have more than ${maxContexts} contexts in it`
  return first(Object.entries(context), ([name, value]) => memberFault(name, value, counts, depth))
}

function memberFault(name: string, value: unknown, counts: Counts, depth: number): string | undefined {
  if (name === '@import')
    return typeof value === 'string' ? referenceFault(value, counts) : 'must name one URL in `@import`'
  if (name in {}) return `must not define the name ${name}`
  if (++counts.terms > maxTerms) return `must not define more than ${maxTerms} terms`
  if (typeof value !== 'object' || value === null || !('@context' in value)) return undefined
  return faultIn(value['@context'], counts, depth + 1)
}

function referenceFault(url: string, counts: Counts): string | undefined {
  if (!knownContexts.has(url)) return 'must refer to no context but those that the service knows; none is fetched'
  return ++counts.references > maxReferences ? `must not refer to more than ${maxReferences} contexts` : undefined
}

function first<Item>(items: readonly Item[], faultOf: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Returns the reason for which a tenant cannot have a context at a URL, as a predicate, or undefined. */
export function findContextUrlFault(url: string): string | undefined {
  if (URL.parse(url)?.href !== url) return 'must be written as browsers write it'
  if (url.includes('#')) return 'must not have a fragment'
  return isReservedContext(url) ? 'is the URL of a context that the service knows' : undefined
}
