import { isReservedContext, knownContexts } from './json-ld-contexts.ts'

/** JSON-LD contexts of one tenant by their URLs: documents whose `@context` `findContextFault` found nothing against. */
export type OwnContexts = ReadonlyMap<string, Readonly<Record<string, unknown>>>

export const noOwnContexts: OwnContexts = new Map()

/**
 * A document whose own contexts stand in it themselves and not their URLs. It states the same, and whoever reads it needs to
 * know only the contexts that everybody has here: what a library keeps of it, it keeps by its content.
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

/** Nobody's document is deeper that can be read here. */
const deepestPlace = 64

/** The URLs that contexts anywhere in a document name, which may be a stranger's. */
export function contextUrlsIn(document: Readonly<Record<string, unknown>>): string[] {
  const urls = new Set<string>()
  mapContexts(document, (context) => {
    for (const each of [context].flat()) if (typeof each === 'string') urls.add(each)
    return context
  })
  return [...urls]
}

/** As `withOwnContexts`, wherever contexts stand in a document: a presentation has those of its credentials in it. */
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
  if (typeof value !== 'object' || value === null || depth > deepestPlace) return value
  if (Array.isArray(value)) return value.map((each) => mapInside(each, change, depth + 1))
  return mapContexts({ ...value }, change, depth + 1)
}

/** Processing takes some 60 ms at these limits: each context that is inside of a term copies all terms around it. */
const mostTerms = 1_000
/** Contexts inside of terms, and in lists. */
const mostContexts = 50
const mostReferences = 3
const deepest = 10

/** The same of several that are named together, which costs what one of them all would. */
export function findFaultTogether(own: OwnContexts): string | undefined {
  return findContextFault({ '@context': [...own.values()].map((document) => document['@context']) })
}

interface Counts {
  terms: number
  contexts: number
  references: number
}

/**
 * What speaks against a tenant's own context before it is processed, as a predicate; undefined when nothing does. It is small
 * enough to be processed in a moment, refers only to contexts that everybody has here, so that none leads to itself, and has no
 * name that a program could take for something else.
 */
export function findContextFault(document: Readonly<Record<string, unknown>>): string | undefined {
  if (!('@context' in document)) return 'must have a member `@context`'
  return faultIn(document['@context'], { terms: 0, contexts: 0, references: 0 }, 1)
}

function faultIn(context: unknown, counts: Counts, depth: number): string | undefined {
  if (depth > deepest) return `must not have contexts in more than ${deepest} levels`
  if (Array.isArray(context)) return first(context, (each) => faultIn(each, counts, depth))
  if (typeof context === 'string') return referenceFault(context, counts)
  if (typeof context !== 'object') return 'must be made of objects, and URLs of contexts that the service knows'
  if (context === null) return 'must not undo the contexts before it with null'
  if (++counts.contexts > mostContexts) return `must not have more than ${mostContexts} contexts in it`
  return first(Object.entries(context), ([name, value]) => memberFault(name, value, counts, depth))
}

function memberFault(name: string, value: unknown, counts: Counts, depth: number): string | undefined {
  if (name === '@import')
    return typeof value === 'string' ? referenceFault(value, counts) : 'must name one URL in `@import`'
  if (name in {}) return `must not define the name ${name}`
  if (++counts.terms > mostTerms) return `must not define more than ${mostTerms} terms`
  if (typeof value !== 'object' || value === null || !('@context' in value)) return undefined
  return faultIn(value['@context'], counts, depth + 1)
}

function referenceFault(url: string, counts: Counts): string | undefined {
  if (!knownContexts.has(url)) return 'must refer to no context but those that the service knows; none is fetched'
  return ++counts.references > mostReferences ? `must not refer to more than ${mostReferences} contexts` : undefined
}

function first<Item>(items: readonly Item[], faultOf: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Why a tenant cannot have a context of its own at an address, as a predicate; undefined where it can. */
export function findContextUrlFault(url: string): string | undefined {
  if (URL.parse(url)?.href !== url) return 'must be written as browsers write it'
  if (url.includes('#')) return 'must not have a fragment'
  return isReservedContext(url) ? 'is the URL of a context that the service knows' : undefined
}
